// Sheets over the table: role, talk, a player, gold, the end of a round, the rules, questions.
import { COLOURS, aboutTable, deed, draw, flyOrNot, lineOf } from "./draw.js";
import { button, byId, group, make, picture, set } from "./elements.js";
import { isGold, isTable, newestFirst, phase, send, state } from "./state.js";
import words from "./words.js";

// Milliseconds between two dwarves who are unmasked.
const UNMASK_MS = 600;

let onClose = () => {};
const later = new Set(); // what shows the sheets that wait

export function listenToSheet() {
  const sheet = byId("sheet");
  sheet.addEventListener("close", () => {
    if (!sheet.open) {
      finish();
      const waited = [...later];
      later.clear();
      waited.forEach((show) => show());
    }
    draw();
  });
  sheet.addEventListener("click", (event) => event.target === sheet && sheet.close());
}

const isTyping = () => byId("sheet").open && Boolean(byId("sheet").querySelector("input")?.value);

// Show a sheet that comes by itself: over no half-typed message, but once that is sent or left.
export function showInTime(show) {
  if (isTyping()) {
    later.add(show);
  } else {
    show();
  }
}

// Close a sheet that would hide a notice, but no half-typed message.
export function makeRoom() {
  if (!isTyping()) {
    close();
  }
}

// Do once what a sheet leaves to do: when its event comes, another sheet may be open.
function finish() {
  const whenClosed = onClose;
  onClose = () => {};
  whenClosed();
}

function open(children, whenClosed = () => {}) {
  const sheet = byId("sheet");
  finish();
  onClose = whenClosed;
  sheet.replaceChildren(...children);
  if (!sheet.open) {
    sheet.showModal();
  }
  sheet.scrollTop = 0;
  const isTyped = !matchMedia("(pointer: coarse)").matches; // else the keyboard would cover it
  sheet.querySelector(isTyped ? "input, .main" : ".main")?.focus({ preventScroll: true });
}

const close = () => byId("sheet").close();

// A button that does something, and closes the sheet.
function choice(text, act, className = "") {
  return button(
    text,
    () => {
      close();
      act();
    },
    className,
  );
}

const back = () => choice(words.back, () => {}, "main");

export function showRole() {
  const { role } = state.own;
  if (role) {
    const card = picture(role.picture, role.name, "large card");
    open([make("h2", role.is, role.name), card, make("p", "", role.text), group("row", back())]);
  }
}

// The role card is shown once a round, also if the page is loaded again: somebody may look on.
export function showRoleOnce() {
  const { name, round } = state.parts.table;
  const which = `${name} ${round} ${state.own.role?.text}`;
  if (state.own.role && phase() === "play" && sessionStorage.getItem("role") !== which) {
    sessionStorage.setItem("role", which);
    showRole();
  }
}

export function askSure(question) {
  const yes = choice(words.yes, () => send({ do: "yes" }));
  const no = choice(words.no, () => send({ do: "no" }), "main");
  open([make("p", "", question), group("row", no, yes)]);
}

// Lines that an answer has.
function showLines(title, line) {
  send(line, ({ lines, text }) => {
    const told = (lines ?? [text]).map((sentence) => make("p", "", sentence));
    open([make("h2", "", title), ...told, group("row", back())]);
  });
}

export function showTalk() {
  const box = make("input");
  set(box, { maxlength: "300", placeholder: words.say, "aria-label": words.say, enterkeyhint: "send" });
  const form = make("form", "row");
  form.append(box, button(words.send, () => form.requestSubmit(), "main"));
  form.onsubmit = (event) => {
    event.preventDefault();
    const text = box.value.trim();
    close();
    if (text) {
      send(isTable() ? { do: "t", text } : { do: text });
    }
  };
  const said = group("row");
  const log = group("log", ...newestFirst(state.log.slice(-40)).map(lineOf));
  const rows = isTable() ? [make("h2", "", words.talk), form, said, log] : [form];
  open([...rows, group("row", back())]);
  if (isTable() && state.parts.seats) {
    send({ do: "c" }, ({ lines }) => said.append(...(lines ?? []).flatMap(claimOf)));
  }
}

// A row of the list of claims begins with its number.
function claimOf(row) {
  const [, number, text] = /^\s*(\d+) (.*)$/.exec(row) ?? [];
  return number ? [choice(text, () => send({ do: "c", text: Number(number) }))] : [];
}

// What ends everything stands last, and is asked about here first: a tap too many in the same place
// says no.
const isFinal = ({ do: word }) => ["leave", "close"].includes(word);

function askFirst(option) {
  const yes = choice(words.yes, () => deed(option));
  open([make("p", "", option.text), group("row", yes, choice(words.no, () => {}, "main"))]);
}

export function showMenu() {
  const may = (state.own.may ?? []).filter((option) => !option.to);
  const rows = [
    ...may.filter((option) => !isFinal(option)).map((option) => choice(option.text, () => deed(option))),
    ...(state.own.hints ? [choice(words.hint, () => showLines(words.hint, { do: "hint" }))] : []),
    ...(state.parts.claims ? [choice(words.claims, () => showLines(words.claims, { do: "claims" }))] : []),
    choice(words.rules, () => showRules(1)),
    ...(state.own.role ? [choice(state.own.role.name, showRole)] : []),
    ...(state.parts.mine && state.own.seat ? [choice(words.auto, flyOrNot)] : []),
    choice(words.leave, () => send({ do: "quit" })),
    ...may.filter(isFinal).map((option) => choice(option.text, () => askFirst(option))),
  ];
  open([group("rows", ...rows), ...aboutTable().map((text) => make("p", "soft", text)), group("row", back())]);
}

function showRules(page) {
  send({ do: "rules", text: page }, ({ lines }) => {
    const [title, ...rest] = lines ?? [];
    const next = page < words.rules_pages ? [choice(words.next, () => showRules(page + 1))] : [];
    const told = make("pre", "", rest.join("\n"));
    open([make("h2", "", title), told, group("row", back(), ...next)]);
  });
}

export function showPlayer(player) {
  const name = make("h2", "", player.name);
  set(name, { "--c": COLOURS[player.colour] });
  const did = state.log.filter((line) => line.seat === player.seat).slice(-8).map(lineOf);
  const may = (state.own.may ?? [])
    .filter(({ to }) => to?.includes(player.seat) || to?.includes(player.name))
    .map(({ do: word, to, text }) =>
      choice(text, () => send({ do: word, text: to.includes(player.seat) ? player.seat : player.name })),
    );
  open([name, make("p", "", player.text ?? ""), group("log", ...did), group("rows", ...may), group("row", back())]);
}

export function showGold() {
  if (!isGold()) {
    return;
  }
  const cards = state.own.offer.map(({ nuggets, move, picture: name }) => {
    const card = choice("", () => send({ do: move }), "gold");
    card.append(picture(name, String(nuggets), "card"));
    return card;
  });
  open([make("h2", "", words.your_gold), group("row", ...cards)]);
}

// The end of a round: the dwarves are unmasked one by one, saboteurs last; only then are the
// sentences told, and the rest of the page shows what follows.
export function showEnd() {
  const { end, seats, table } = state.parts;
  if (!end) {
    return;
  }
  const players = seats.filter((player) => player.role);
  const order = [
    ...players.filter((player) => player.role !== "saboteur"),
    ...players.filter((player) => player.role === "saboteur"),
  ];
  const isNew = Boolean(state.held);
  const delay = (at) => `${isNew ? at * UNMASK_MS : 0}ms`;
  const figures = order.map((player, at) => {
    const figure = make("figure");
    const gold = player.nuggets === null ? "" : ` ${player.nuggets}\u2605`;
    const name = make("figcaption", "", `${player.name}${gold}`);
    set(name, { "--c": COLOURS[player.colour] });
    figure.append(picture(player.role, player.role, "card"), name);
    set(figure, { "--delay": delay(at) });
    return figure;
  });
  const event = state.log.findLast((line) => line.is === "round ended")?.event;
  const told = end.lines ?? event?.lines ?? [];
  const tags = end.lines ? ["h2"] : []; // who has won the game stands first
  const lines = group("after", ...[...told, ...table.evening].map((text, at) => make(tags[at] ?? "p", "", text)));
  set(lines, { "--delay": delay(order.length) });
  open([group("roles", ...figures), lines, group("row", choice(words.next, () => {}, "main"))], () => {
    state.held = undefined;
    showGold();
  });
}
