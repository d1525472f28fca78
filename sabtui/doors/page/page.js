// The page: a form that asks for a name, and for the room code unless the link has brought it; then
// the table. At /stage nobody plays: it asks for no name, and shows all in the room where to join.
import { isNear, listenToFingers, measure, seeAll, seeGoals } from "./camera.js";
import { parseCode } from "./code.js";
import { connect } from "./connection.js";
import { classList } from "./parts.js";
import { loadPictures } from "./pictures.js";
import { call, setTitle, wake } from "./pocket.js";
import {
  askSure, bringDwarf, closeSheet, drawSheet, isResult, isSheet, listenToSheet, makeRoom, showEnd, showGold,
  showInTime, showRoleOnce,
} from "./sheets.js";
import { Join, chooseTable, loadScanning, showCode } from "./stage.js";
import {
  act, draw, drawWith, hear, howItEnded, isGame, isGold, isStage, isTable, isTurn, isWatching,
  keep, kept, letGo, listenToQuestions, may, send, state, useConnection,
} from "./state.js";
import { Hall, Lobby, Table, isFine, listenToKeys } from "./table.js";
import { html, render } from "./vendor/preact.js";
import words from "./words.js";

const STORED = isStage ? "sabtui stage" : "sabtui seat";
const RETRY_MS = 3000;
// All see the last card and the treasure for so long, and then how the round has ended.
const [TREASURE_MS, VERDICT_MS] = [1800, 1600];

const byId = (id) => document.getElementById(id);
const [table, door, notice] = [byId("table"), byId("door"), byId("notice")];
let isNew; // whether no seat was kept

function drawAll() {
  const isCalled = isTurn() || isGold();
  setTitle(isCalled, isTable() ? state.parts.table.name : "");
  document.documentElement.className = classList({
    stage: isStage,
    turn: isCalled,
    hall: !isTable(),
    lobby: isTable() && !isGame(),
    before: !isGame(),
    ended: state.held,
    watching: isWatching(),
    cut: isTable() && !isFine(),
  });
  const Shown = isGame() ? Table : isTable() ? Lobby : Hall;
  const show = () => render(html`<${Shown} join=${isStage && html`<${Join} />`} />`, table);
  show();
  if (!table.hidden && measure()) {
    show();
  }
  drawSheet();
}

function say(text, onTap) {
  Object.assign(notice, { textContent: text, hidden: !text, onclick: onTap });
  if (text) {
    makeRoom();
  }
}

// The form.

function askAgain(trouble) {
  say("");
  table.hidden = true;
  door.hidden = false;
  byId("enter").disabled = false;
  byId("trouble").textContent = trouble;
  byId("code-row").hidden = !words.asksCode || Boolean(parseCode(byId("code").value, words.codeWords));
  byId("name-row").hidden = isStage;
  byId("name").value = byId("name").value || (isStage ? words.stage : kept(STORED).name || "");
  const empty = [byId("name"), byId("code")].find((field) => !field.value);
  (empty || byId("enter")).focus();
}

function enter(event) {
  event.preventDefault();
  const name = byId("name").value.trim();
  const code = words.asksCode ? parseCode(byId("code").value, words.codeWords) : "";
  if (words.asksCode && !code) {
    byId("code-row").hidden = false;
    byId("trouble").textContent = words.refused_code;
    byId("code").select();
    return;
  }
  byId("enter").disabled = true;
  byId("trouble").textContent = words.joining;
  showCode(code);
  sit({ name, code });
}

// The table.

function sit(entry) {
  isNew = !entry.seat;
  const connection = connect({ ...entry, language: words.language, stage: isStage }, {
    linked: (isLinked) => table.classList.toggle("linked", isLinked),
    welcome: (seat) => {
      keep(STORED, isStage ? { ...seat, code: entry.code } : seat);
      door.hidden = true;
      say(words.joining);
      send({ do: "all" });
    },
    heard,
    lost: () => say(table.hidden && door.hidden ? words.joining : words.lost),
    ended: () => say(state.ending || words.ended_watch, () => come()),
    elsewhere: () => say(words.elsewhere, () => come()),
    refused: (reason, wait) => {
      const isCode = reason === "code";
      words.asksCode = words.asksCode || isCode; // the table may have been open when we came
      if (reason === "seat") {
        keep(STORED, { name: entry.name });
      }
      askAgain((words[`refused_${reason}`] ?? words.lost).replace("{seconds}", Math.ceil(wait ?? 0)));
      if (isCode) {
        byId("code-row").hidden = false; // a slip may be mended
        byId("code").select();
      }
    },
  });
  useConnection(connection);
}

function heard(line) {
  const happened = hear(line);
  if (isTable() || state.hall) {
    table.hidden = false;
    say("");
  }
  if (isNew && may("face")) {
    isNew = false;
    bringDwarf();
  }
  draw();
  chooseTable();
  if (!isTable()) {
    return; // the end of what a page before was told
  }
  if (happened.round) {
    clearTimeout(ending);
    seeAll();
  }
  if (happened.goal && !state.held) {
    seeAll(); // one that is stone, or gold to come
  }
  if (happened.end) {
    end();
  } else if (happened.offer) {
    showInTime(showGold);
  } else if (happened.role) {
    showInTime(showRoleOnce);
  }
  if (happened.turn) {
    call();
  }
}

// The last card lands, and the goal turns up where all look; then who has won; then the result.
let ending;

function end() {
  if (!state.held || isResult()) {
    showInTime(showEnd); // the gold was shared since
  } else if (!state.held.isShown) {
    state.held.isShown = true;
    makeRoom();
    const reached = state.parts.end.winner === "miner" && state.log.findLast(({ is }) => is === "revealed");
    reached ? seeGoals(reached.cell) : seeAll();
    ending = setTimeout(() => {
      [state.verdict = ""] = howItEnded();
      draw();
      ending = setTimeout(() => showInTime(showEnd), VERDICT_MS);
    }, TREASURE_MS);
  }
}

// Android's key back closes what is open; the page is left once nothing is.
function listenToBack() {
  const guard = () => history.state === "guard" || history.pushState("guard", "", location.pathname);
  window.addEventListener("click", guard);
  window.addEventListener("popstate", () => {
    const close = isSheet() ? closeSheet : state.chosen ? letGo : isNear() && seeAll;
    close ? guard() : history.back();
    close && act(close)();
  });
}

// Come back to one's seat, or ask who comes; a link has `brought` the room code.
function come(brought = "") {
  const seat = kept(STORED);
  if (seat.seat) {
    say(words.joining);
    showCode(brought || seat.code || "");
    sit(seat);
    return;
  }
  askAgain("");
  if (isStage && (brought || !words.asksCode)) {
    byId("enter").click(); // nobody need be at the projector
  }
}

async function load() {
  try {
    await loadPictures();
    draw();
  } catch {
    setTimeout(load, RETRY_MS);
  }
}

function begin() {
  byId("sealed").hidden = !words.asksCode;
  byId("language").onchange = ({ target }) => {
    document.cookie = `language=${target.value}; SameSite=Strict; max-age=31536000`;
    location.reload();
  };
  load();
  listenToSheet();
  listenToQuestions(askSure);
  listenToFingers(table, draw);
  listenToKeys(table);
  listenToBack();
  loadScanning(draw);
  drawWith(drawAll);
  setInterval(draw, 1000);
  window.addEventListener("resize", draw);
  window.addEventListener("click", wake);
  byId("old").remove();
  window.addEventListener("keydown", ({ key }) => key === "Enter" && notice.onclick?.());
  door.addEventListener("submit", enter);
  const brought = location.hash.slice(1); // a link's room code: no browser sends it to anybody
  history.replaceState(null, "", location.pathname);
  byId("code").value = brought;
  come(brought);
}

begin();
