// The page: a form that asks for name and room code, then a terminal fitted to the window. At
// /stage nobody plays: it asks for no name, and shows all in the room how to join.
import { parseCode } from "./code.js";
import { Connection } from "./connection.js";
import { Pictures } from "./pictures.js";
import { listenToTouch } from "./touch.js";
import { FitAddon } from "./vendor/addon-fit.js";
import { Terminal } from "./vendor/xterm.js";
import words from "./words.js";

const isStage = location.pathname === "/stage";
const STORED = isStage ? "sabtui stage" : "sabtui seat";
const FONT = '"Sabtui Mono", monospace';
// Columns of a letter's height, and rows of it, in the font above.
const [LETTER_WIDTH, LETTER_HEIGHT] = [0.602, 1.164];
const [SMALLEST_PX, LARGEST_PX] = [7, 16];
// What the table wants at least: a portrait phone has a layout of its own.
const PORTRAIT = { columns: 45, rows: 28 };
const LANDSCAPE = { columns: 80, rows: 24 };
// With the keyboard of a phone open, less than this part of the window is left.
const KEYBOARD_OPEN = 0.8;

const KEYS = [
  ["Esc", "\x1b"],
  ["Tab", "\t"],
  ["\u2190", "\x1b[D"],
  ["\u2191", "\x1b[A"],
  ["\u2193", "\x1b[B"],
  ["\u2192", "\x1b[C"],
  ["Enter", "\r"],
  ["?", "?"],
];

const byId = (id) => document.getElementById(id);
const [table, door, notice] = [byId("table"), byId("door"), byId("notice")];
const hasTouch = matchMedia("(pointer: coarse)").matches;

let connection;
let tapNotice;
let isOpening = false;

const terminal = new Terminal({
  fontFamily: FONT,
  fontSize: LARGEST_PX,
  scrollback: 0,
  cursorBlink: false,
  cursorStyle: "underline",
  macOptionIsMeta: true,
  theme: { background: "#16130f", foreground: "#e8e0d2", cursor: "#f2c14e" },
});
const fit = new FitAddon();

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
}

// A QR code brings the room code behind the "#", which no browser sends to anybody.
function readBrought() {
  const brought = location.hash.slice(1);
  try {
    return decodeURIComponent(brought);
  } catch {
    return brought;
  }
}

function fill() {
  document.documentElement.lang = words.language.replace("_", "-");
  byId("name-label").textContent = words.name;
  byId("code-label").textContent = words.code;
  byId("enter").textContent = isStage ? words.watch : words.enter;
  byId("private").textContent = words.private;
  if (words.file) {
    byId("own").hidden = false;
    byId("file").href = words.file;
    byId("file").textContent = words.offer;
    byId("check").textContent = words.check;
  }
}

// The form.

function askAgain(trouble) {
  say("");
  table.hidden = true;
  door.hidden = false;
  byId("enter").disabled = false;
  byId("trouble").textContent = trouble;
  byId("code-row").hidden = !words.asksCode;
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
    size: () => ({ columns: terminal.cols, rows: terminal.rows }),
    linked: (isLinked) => table.classList.toggle("linked", isLinked),
    welcome: (seat) => {
      store(isStage ? { ...seat, code: entry.code } : seat);
      door.hidden = true;
      say(words.opening);
      isOpening = true;
      show();
    },
    shown: (data) => terminal.write(data, open),
    lost: (wasIn) => (wasIn || !door.hidden ? say(words.lost) : say(words.joining)),
    ended: () => say(words.ended, comeBack),
    elsewhere: () => say(words.elsewhere, comeBack),
    refused: (reason, wait) => {
      if (reason === "seat") {
        store({ name: entry.name });
        byId("code").value ||= entry.code ?? ""; // a stage knows it, and shows it to all
      }
      words.asksCode ||= reason === "code"; // the table may have been open when we came
      const text = words[`refused_${reason}`] ?? words.lost;
      askAgain(text.replace("{seconds}", Math.ceil(wait ?? 0)));
    },
  });
}

// The page says that the mine opens until there is something to be seen.
function open() {
  const { active } = terminal.buffer;
  const rows = isOpening ? [...Array(terminal.rows).keys()] : [];
  if (rows.some((row) => active.getLine(active.viewportY + row)?.translateToString(true))) {
    isOpening = false;
    say("");
  }
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

function show() {
  table.hidden = false;
  fitWindow();
  if (!hasTouch) {
    terminal.focus();
  }
}

function fontSize(width, height) {
  const { columns, rows } = width < height ? PORTRAIT : LANDSCAPE;
  const fitting = Math.min(width / columns / LETTER_WIDTH, height / rows / LETTER_HEIGHT);
  return Math.max(SMALLEST_PX, Math.min(LARGEST_PX, Math.floor(fitting * 10) / 10));
}

function fitWindow() {
  const view = window.visualViewport;
  table.style.height = `${view?.height ?? window.innerHeight}px`;
  table.style.top = `${view?.offsetTop ?? 0}px`;
  if (table.hidden || (view && view.height < window.innerHeight * KEYBOARD_OPEN)) {
    return; // the size stays while a phone's keyboard is open
  }
  const frame = byId("terminal");
  terminal.options.fontSize = fontSize(frame.clientWidth, frame.clientHeight);
  const size = fit.proposeDimensions();
  if (size && (size.cols !== terminal.cols || size.rows !== terminal.rows)) {
    terminal.resize(size.cols, size.rows);
  }
  frame.dataset.columns = terminal.cols;
}

function press(text) {
  if (tapNotice && text === "\r") {
    tapNotice(); // without a finger or a mouse
  } else {
    connection?.type(text);
  }
}

function layKeys() {
  const keys = hasTouch ? [...KEYS, [words.keyboard, undefined]] : [];
  byId("keys").hidden = !keys.length;
  for (const [label, text] of keys) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = label;
    button.tabIndex = -1;
    // The keyboard, if it is open, stays open.
    button.addEventListener("pointerdown", (event) => event.preventDefault());
    button.addEventListener("click", () => (text === undefined ? toggleKeyboard() : press(text)));
    byId("keys").append(button);
  }
}

function toggleKeyboard() {
  if (document.activeElement === terminal.textarea) {
    terminal.blur();
  } else {
    terminal.focus();
  }
}

const cells = {
  size() {
    const { width, height } = byId("terminal").querySelector(".xterm-screen")
      .getBoundingClientRect();
    return { width: width / terminal.cols, height: height / terminal.rows };
  },
  at(x, y) {
    const screen = byId("terminal").querySelector(".xterm-screen").getBoundingClientRect();
    const { width, height } = this.size();
    const within = (place, most) => Math.max(1, Math.min(most, Math.floor(place) + 1));
    return [
      within((x - screen.left) / width, terminal.cols),
      within((y - screen.top) / height, terminal.rows),
    ];
  },
};

async function begin() {
  fill();
  await Promise.all([document.fonts.load(`16px ${FONT}`), document.fonts.load(`bold 16px ${FONT}`)]);
  layKeys();
  table.hidden = false;
  terminal.loadAddon(fit);
  terminal.open(byId("terminal"));
  fitWindow();
  new Pictures(terminal, byId("terminal"));
  terminal.onData(press);
  terminal.onResize(({ cols, rows }) => connection?.resize(cols, rows));
  terminal.onTitleChange((title) => (document.title = title));
  // Before the first touch a browser forbids it, and says so in its log.
  terminal.onBell(() => navigator.userActivation?.hasBeenActive && navigator.vibrate?.(80));
  listenToTouch(byId("terminal"), cells, press);
  window.addEventListener("resize", fitWindow);
  window.visualViewport?.addEventListener("resize", fitWindow);
  window.visualViewport?.addEventListener("scroll", fitWindow);
  notice.addEventListener("click", () => tapNotice?.());
  door.addEventListener("submit", enter);
  const brought = readBrought();
  history.replaceState(null, "", location.pathname);
  byId("code").value = brought;
  if (isStage && stored().seat && brought) {
    store({ ...stored(), code: brought }); // there is a new code to be shown
  }
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
