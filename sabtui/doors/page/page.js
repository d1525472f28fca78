// The page: a form that asks for a name, and for the room code unless the link has brought it; then
// the table. At /stage nobody plays: it asks for no name, and shows all in the room where to join.
import { isNear, listenToFingers, measure, seeAll, seeGoals } from "./camera.js";
import { parseCode } from "./code.js";
import { Connection } from "./connection.js";
import { draw, drawWith } from "./draw.js";
import { Hall, Lobby } from "./lobby.js";
import { loadPictures } from "./pictures.js";
import { call, setTitle, wake } from "./pocket.js";
import {
  askSure, closeSheet, drawSheet, isResult, isSheet, listenToSheet, makeRoom, showEnd, showGold, showInTime,
  showRoleOnce,
} from "./sheets.js";
import { Join, chooseTable, loadScanning, showCode } from "./stage.js";
import {
  askForAll, hear, isGame, isGold, isStage, isTable, isTurn, isWatching, letGo, listenToQuestions, state,
  useConnection,
} from "./state.js";
import { Table, isFine, listenToKeys } from "./table.js";
import { html, render } from "./vendor/preact.js";
import words from "./words.js";

const STORED = isStage ? "sabtui stage" : "sabtui seat";
const RETRY_MS = 3000;
// All see the last card and the treasure for so long, and then how the round has ended.
const [TREASURE_MS, VERDICT_MS] = [1800, 1600];
const OF_THE_END = 8; // at most so many lines tell of what ended a round

const byId = (id) => document.getElementById(id);
const [table, door, notice] = [byId("table"), byId("door"), byId("notice")];

let connection;
let tapNotice;
let isOpening = false;
let hadSeat = false;

function stored() {
  try {
    return JSON.parse(localStorage.getItem(STORED)) || {};
  } catch {
    return {};
  }
}

function callOut() {
  const isCalled = isTurn() || isGold();
  document.body.classList.toggle("turn", isCalled);
  setTitle(isCalled, isTable() ? state.parts.table.name : "");
}

function drawAll() {
  const { classList } = document.body;
  callOut();
  hadSeat = isTable() ? !isWatching() : hadSeat;
  classList.toggle("lobby", isTable() && !isGame());
  classList.toggle("hall", !isTable());
  document.documentElement.classList.toggle("before", !isGame());
  classList.toggle("ended", Boolean(state.held));
  classList.toggle("watching", isWatching());
  classList.toggle("cut", isTable() && !isFine());
  const Shown = isGame() ? Table : isTable() ? Lobby : Hall;
  const join = isStage && html`<${Join} />`;
  const show = () => render(html`<${Shown} join=${join} />`, table);
  show();
  if (!table.hidden && measure()) {
    show();
  }
  drawSheet();
}

function store(seat) {
  try {
    localStorage.setItem(STORED, JSON.stringify(seat));
  } catch {
    // A private window may keep nothing: then the code is asked for again.
  }
}

function say(text, onTap) {
  notice.textContent = text;
  notice.hidden = !text;
  tapNotice = onTap;
  if (text) {
    makeRoom();
  }
}

function fill() {
  document.documentElement.lang = words.language.replace("_", "-");
  document.documentElement.classList.toggle("stage", isStage);
  byId("name-label").textContent = words.name;
  byId("code-label").textContent = words.code;
  byId("enter").textContent = isStage ? words.watch : words.enter;
  byId("language-label").textContent = words.language_label;
  byId("sealed").textContent = words.asksCode ? words.sealed : "";
  for (const code of words.languages) {
    const tag = code.replace("_", "-");
    const name = Intl.DisplayNames ? new Intl.DisplayNames([tag], { type: "language" }).of(tag) : tag;
    byId("language").append(new Option(name, code, false, code === words.language));
  }
  byId("language").onchange = ({ target }) => {
    document.cookie = `language=${target.value}; SameSite=Strict; max-age=31536000`;
    location.reload();
  };
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
  byId("name").value = byId("name").value || (isStage ? words.stage : stored().name || "");
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
  connection?.close();
  connection = new Connection({ ...entry, language: words.language, stage: isStage }, {
    linked: (isLinked) => table.classList.toggle("linked", isLinked),
    welcome: (seat) => {
      store(isStage ? { ...seat, code: entry.code } : seat);
      door.hidden = true;
      say(words.opening);
      isOpening = true;
      askForAll();
    },
    heard,
    lost: (wasIn) => (wasIn || !door.hidden ? say(words.lost) : say(words.joining)),
    ended: () => say(state.ending || (hadSeat ? words.ended : words.ended_watch), comeBack),
    elsewhere: () => say(words.elsewhere, comeBack),
    refused: (reason, wait) => {
      if (reason === "seat") {
        store({ name: entry.name });
      }
      if (reason === "code") {
        words.asksCode = true; // the table may have been open when we came
      }
      askAgain((words[`refused_${reason}`] ?? words.lost).replace("{seconds}", Math.ceil(wait ?? 0)));
      if (reason === "code") {
        byId("code-row").hidden = false; // a slip may be mended
        byId("code").select();
      }
    },
  });
  useConnection(connection);
}

function heard(line) {
  const happened = hear(line);
  if (isOpening && (isTable() || state.hall)) {
    isOpening = false;
    table.hidden = false;
    say("");
  }
  callOut(); // nothing is drawn while the page is hidden
  draw();
  chooseTable();
  if (!isTable()) {
    return; // the end of what a page before was told
  }
  if (happened.has("round")) {
    clearTimeout(ending);
    ending = 0;
    closeSheet();
    seeAll();
  }
  if (happened.has("goal") && !state.held) {
    seeAll(); // one that is stone, or gold to come
  }
  if (happened.has("end")) {
    end();
  } else if (happened.has("offer")) {
    showInTime(showGold);
  } else if (happened.has("role")) {
    showInTime(showRoleOnce);
  }
  if (happened.has("turn")) {
    call();
  }
}

// The last card lands, and the goal turns up where all look; then who has won; then the result.
let ending = 0;

function end() {
  if (!state.held || isResult()) {
    showInTime(showEnd); // the gold was shared since
    return;
  }
  if (ending) {
    return;
  }
  makeRoom();
  const { event = {} } = state.log.findLast(({ is }) => is === "round ended") || {};
  const reached = state.log.slice(-OF_THE_END).findLast(({ is, cell }) => is === "revealed" && cell);
  reached ? seeGoals(reached.cell) : seeAll();
  ending = setTimeout(() => {
    [state.verdict = ""] = event.lines || [];
    draw();
    ending = setTimeout(showResult, VERDICT_MS);
  }, TREASURE_MS);
}

function showResult() {
  ending = 0;
  showInTime(showEnd);
}

// Android's key back closes what is open; the page is left once nothing is.
function listenToBack() {
  const guard = () => history.pushState("guard", "", location.pathname);
  window.addEventListener("click", () => history.state === "guard" || guard());
  window.addEventListener("popstate", () => {
    closeFirst() ? guard() : history.back();
    draw();
  });
}

function closeFirst() {
  const close = isSheet() ? closeSheet : state.chosen ? letGo : isNear() ? seeAll : undefined;
  close?.();
  return Boolean(close);
}

function comeBack() {
  const seat = stored();
  say("");
  if (seat.seat) {
    showCode(seat.code || "");
    sit(seat);
  } else {
    askAgain("");
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
  fill();
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
  notice.addEventListener("click", () => tapNotice?.());
  window.addEventListener("keydown", ({ key }) => key === "Enter" && tapNotice?.());
  door.addEventListener("submit", enter);
  const brought = location.hash.slice(1); // a link's room code: no browser sends it to anybody
  history.replaceState(null, "", location.pathname);
  byId("code").value = brought;
  if (stored().seat) {
    say(words.joining);
    showCode(brought || stored().code || "");
    sit(stored());
  } else {
    askAgain("");
    if (isStage && (brought || !words.asksCode)) {
      byId("enter").click(); // nobody need be at the projector
    }
  }
}

begin();
