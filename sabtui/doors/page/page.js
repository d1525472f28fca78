// The page: a form that asks for a name, and for the room code unless the link has brought it; then
// the table. At /stage nobody plays: it asks for no name, and shows all in the room where to join.
import { listenToFingers, recentre } from "./camera.js";
import { parseCode } from "./code.js";
import { Connection } from "./connection.js";
import { draw, drawTop, listenToKeys } from "./draw.js";
import { byId, make } from "./elements.js";
import { loadPictures } from "./pictures.js";
import { askSure, listenToSheet, makeRoom, showEnd, showGold, showInTime, showRoleOnce } from "./sheets.js";
import { askForAll, hear, isStage, isTable, listenToQuestions, state, useConnection } from "./state.js";
import words from "./words.js";

const STORED = isStage ? "sabtui stage" : "sabtui seat";
const RETRY_MS = 3000;

const [table, door, notice] = [byId("table"), byId("door"), byId("notice")];

let connection;
let tapNotice;
let isOpening = false;

function stored() {
  try {
    return JSON.parse(localStorage.getItem(STORED)) ?? {};
  } catch {
    return {};
  }
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
  byId("name-label").textContent = words.name;
  byId("code-label").textContent = words.code;
  byId("enter").textContent = isStage ? words.watch : words.enter;
  byId("language-label").textContent = words.language_label;
  byId("language").append(
    ...words.languages.map((code) => {
      const option = make("option", "", new Intl.DisplayNames([code.replace("_", "-")], { type: "language" }).of(code.replace("_", "-")));
      option.value = code;
      option.selected = code === words.language;
      return option;
    }),
  );
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
  byId("name").value ||= isStage ? words.stage : stored().name ?? "";
  const empty = [byId("name"), byId("code")].find((field) => !field.value);
  (empty ?? byId("enter")).focus();
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
  sit({ name, code });
}

// The table.

function sit(entry) {
  connection?.close();
  connection = new Connection({ ...entry, language: words.language, stage: isStage }, {
    linked: (isLinked) => table.classList.toggle("linked", isLinked),
    welcome: (seat) => {
      store(seat);
      door.hidden = true;
      say(words.opening);
      isOpening = true;
      byId("join").textContent = isStage ? location.origin : "";
      askForAll();
    },
    heard,
    lost: (wasIn) => (wasIn || !door.hidden ? say(words.lost) : say(words.joining)),
    ended: () => say(state.hall[0] ?? words.ended, comeBack), // an end with a reason has told it
    elsewhere: () => say(words.elsewhere, comeBack),
    refused: (reason, wait) => {
      if (reason === "seat") {
        store({ name: entry.name });
      }
      if (reason === "code") {
        byId("code").value = "";
        words.asksCode = true; // the table may have been open when we came
      }
      const text = words[`refused_${reason}`] ?? words.lost;
      askAgain(text.replace("{seconds}", Math.ceil(wait ?? 0)));
    },
  });
  useConnection(connection);
}

function heard(line) {
  const happened = hear(line);
  if (line.t === "public") {
    recentre();
  }
  if (isOpening && (isTable() || line.t === "say")) {
    isOpening = false;
    table.hidden = false;
    say("");
  }
  draw();
  if (!isTable()) {
    return; // the end of what a page before was told
  }
  if (happened.has("end")) {
    showInTime(showEnd);
  } else if (happened.has("offer")) {
    showInTime(showGold);
  } else if (happened.has("role")) {
    showInTime(showRoleOnce);
  }
  if (happened.has("turn")) {
    call();
  }
}

// It is this person's turn: a short buzz, and a sound if the page may make one.
function call() {
  if (!navigator.userActivation?.hasBeenActive) {
    return; // before the first touch a browser forbids it, and says so in its log
  }
  navigator.vibrate?.(80);
  const sound = new AudioContext();
  const tone = sound.createOscillator();
  const volume = sound.createGain();
  volume.gain.value = 0.05;
  tone.frequency.value = 660;
  tone.connect(volume).connect(sound.destination);
  tone.start();
  tone.stop(sound.currentTime + 0.12);
  tone.onended = () => sound.close();
}

function comeBack() {
  const seat = stored();
  say("");
  if (seat.seat) {
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
  listenToFingers(draw);
  listenToKeys();
  setInterval(drawTop, 1000);
  window.addEventListener("resize", () => {
    recentre();
    draw();
  });
  notice.addEventListener("click", () => tapNotice?.());
  window.addEventListener("keydown", ({ key }) => key === "Enter" && tapNotice?.());
  door.addEventListener("submit", enter);
  const brought = location.hash.slice(1); // a link's room code: no browser sends it to anybody
  history.replaceState(null, "", location.pathname);
  byId("code").value = brought;
  if (stored().seat) {
    say(words.joining);
    sit(stored());
  } else {
    askAgain("");
    if (isStage && (brought || !words.asksCode)) {
      door.requestSubmit(); // nobody need be at the projector
    }
  }
}

begin();
