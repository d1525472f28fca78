// What the lines have told of the table (docs/json.md), what is chosen, and nothing else: the page
// has no rule of the game. What is chosen stays here, so that nobody on the way sees a player thinking.
import words from "./words.js";

const MOST_LOG = 120;
const OLD_LOG = 40;

// `parts` are those of the public line, `own` is the own line, `log` all that was told, `hall` what
// a club's hall tells before a table. While an end of a round is shown, `held` has what stands;
// it is shown once the own line has told of it, too (`isEnding`).
export const state = {
  parts: {},
  own: {},
  log: [],
  hall: [],
  note: "",
  held: undefined,
  isEnding: false,
  turnSince: 0,
  chosen: undefined, // card: its text
  place: undefined, // key of a place
  way: 0,
};

let connection;
let number = 0;
const asked = new Map();

export function useConnection(opened) {
  connection = opened;
}

// Send a line; `hear` is called with its answer.
export function send(line, hear = noteAnswer) {
  number += 1;
  asked.set(number, hear);
  connection.send({ ...line, id: number });
}

// What is to be done with an answer that nobody waits for; a question is asked by the page.
let onQuestion = () => {};
export const listenToQuestions = (ask) => (onQuestion = ask);

export function noteAnswer(answer) {
  const text = (answer.lines ?? []).join(" ");
  if (answer.asks) {
    onQuestion(text);
  } else if (text) {
    state.note = text;
  }
}

export function askForAll() {
  asked.clear();
  send({ do: "all" });
}

// At /stage nobody plays.
export const isStage = location.pathname === "/stage";
export const isTable = () => Boolean(state.parts.table);
export const isGame = () => Boolean(state.parts.mine);
export const isTurn = () => Boolean(state.own.turn) && phase() === "play" && !state.held;
export const isGold = () => Boolean(state.own.offer?.length) && !state.held;
export const phase = () => state.parts.table?.phase;
export const seats = () => (state.held ?? state.parts).seats ?? [];
export const table = () => (state.held ?? state.parts).table;
export const mine = () => (state.held ?? state.parts).mine;
export const hand = () => state.own.hand ?? [];

// Take a line in; return what of note has happened: a new turn, role or offer, the end of a round.
export function hear(line) {
  const happened = new Set();
  switch (line.t) {
    case "hello":
      Object.assign(state, { parts: {}, own: {}, log: [], hall: [], note: "", held: undefined });
      letGo();
      break;
    case "public":
      hearPublic(line, happened);
      break;
    case "own":
      hearOwn(line, happened);
      break;
    case "answer":
    case "error":
      asked.get(line.id)?.(line);
      asked.delete(line.id);
      break;
    case "say":
      state.hall = [...state.hall, ...line.lines].slice(-MOST_LOG);
      state.note = line.lines.at(-1);
      break;
    case "end":
      Object.assign(state, { parts: {}, own: {}, hall: [], held: undefined });
      state.hall = line.text ? [line.text] : [];
      break;
  }
  return happened;
}

function hearPublic({ t, n, all, news, ...parts }, happened) {
  const before = state.parts;
  if (parts.end && before.table && !before.end) {
    state.held = { ...before, said: state.log.length };
    state.isEnding = true;
  } else if (parts.end?.lines && before.end && !before.end.lines) {
    state.isEnding = true; // gold was shared, and the game is over
  }
  state.parts = all ? parts : { ...before, ...parts };
  if (state.parts.table?.turn !== before.table?.turn) {
    state.turnSince = Date.now();
  }
  if (all && isGame() && !state.log.length) {
    send({ do: "log", text: OLD_LOG }, ({ lines }) => {
      state.log.unshift(...lines.map((text) => ({ is: "old", text })));
    });
  }
}

function hearOwn(line, happened) {
  const before = state.own;
  if (state.isEnding) {
    state.isEnding = false;
    happened.add("end");
  }
  state.own = line;
  for (const event of line.news) {
    state.log.push(...event.lines.map((text) => ({ ...event, event, text })));
  }
  state.log.splice(0, Math.max(0, state.log.length - MOST_LOG));
  if (line.news.length) {
    state.note = line.news.find((event) => event.is === "private")?.lines.join(" ") ?? "";
  }
  if (!hand().some((kind) => kind.card === state.chosen)) {
    letGo();
  }
  if (line.turn && !before.turn) {
    happened.add("turn");
  }
  if (line.offer?.length && !before.offer?.length) {
    happened.add("offer");
  }
  if (line.role && line.role.is) {
    happened.add("role");
  }
}

// The newest event first, the sentences on each as they were told.
export function newestFirst(lines) {
  const events = [];
  for (const entry of lines) {
    const last = events.at(-1);
    if (entry.event && last?.[0].event === entry.event) {
      last.push(entry);
    } else {
      events.push([entry]);
    }
  }
  return events.reverse().flat();
}

// What is chosen.

export function letGo() {
  Object.assign(state, { chosen: undefined, place: undefined, way: 0 });
}

export const chosenKind = () => hand().find((kind) => kind.card === state.chosen);

// The places of the chosen card with their ways, the best first. The key of a cell is "x,y", that
// of a seat "s" and its number.
export function places() {
  const found = new Map();
  for (const way of chosenKind()?.ways ?? []) {
    const key = way.length === 3 ? `${way[1]},${way[2]}` : `s${way[1]}`;
    found.set(key, [...(found.get(key) ?? []), way]);
  }
  return found;
}

export const cellOf = (key) => key.split(",").map(Number);

// The way that would be played now.
export function way() {
  const ways = places().get(state.place);
  return ways?.[state.way % ways.length];
}

// The picture of a path card as a way would lay it.
export const lying = (kind, [move]) => kind.lies[move.split("@")[0]] ?? kind.picture;

export function choose(card) {
  const isSame = state.chosen === card;
  letGo();
  state.note = "";
  if (isSame || !hand().some((kind) => kind.card === card)) {
    return;
  }
  state.chosen = card;
  const keys = [...places().keys()];
  // Whom to hit is never guessed: the player's own cart would be a tap away.
  if (keys.length && !keys[0].startsWith("s")) {
    [state.place] = keys;
  }
}

export function step(by) {
  const keys = [...places().keys()];
  if (keys.length) {
    const at = keys.indexOf(state.place);
    state.place = keys[(at + by + (at < 0 && by < 0 ? 1 : 0) + keys.length) % keys.length];
    state.way = 0;
  }
}

// Turn the card around where it is, else choose a place where it lies the other way up.
export function turn() {
  const all = places();
  if ((all.get(state.place) ?? []).length > 1) {
    state.way += 1;
    return;
  }
  const lies = (move) => move[0].split("@")[0];
  const now = way();
  const other = [...all].find(([, ways]) => now && ways.some((move) => lies(move) !== lies(now)));
  if (other) {
    state.place = other[0];
    state.way = other[1].findIndex((move) => lies(move) !== lies(now));
  }
}

export function play() {
  const now = way();
  if (now && isTurn()) {
    send({ do: now[0] });
    letGo();
  }
}

export function discard() {
  const kind = chosenKind();
  if (kind?.discard && isTurn()) {
    send({ do: kind.discard });
    letGo();
  }
}

// A tap on a place: the first one chooses it, the second one plays there.
export function aim(key) {
  if (state.place === key) {
    play();
  } else if (places().has(key)) {
    state.place = key;
    state.way = 0;
  }
}

// The line below the mine: a note, or what to do now.
export function advice() {
  if (state.note) {
    return state.note;
  }
  if (!isTurn()) {
    return "";
  }
  if (state.chosen === undefined) {
    return words.choose_card;
  }
  return places().size ? words.choose_place : words.only_discard;
}
