// What the lines have told of the table (docs/json.md), what is chosen, and nothing else: the page
// has no rule of the game. What is chosen stays here, so that nobody on the way sees a player thinking.
import words from "./words.js";

const MOST_LOG = 120;
const OLD_LOG = 40;
const REACTION_MS = 2000; // a reaction is shown for so long
const PAUSE_MS = 1200; // the host takes one in a second

// `parts` are those of the public line, `own` is the own line, `log` all that was told, `hall` the
// hall of a club before a table. While the end of a round is shown, `held` has the parts before it;
// it is shown once the own line has told of it, too (`isEnding`).
export const state = {
  parts: {},
  own: {},
  log: [],
  hall: undefined,
  ending: "", // why a visit has ended
  note: "",
  held: undefined,
  isEnding: false,
  verdict: "", // how a round has ended, in the moment between treasure and result
  isPeeking: false, // whether one's own role is looked at
  isLanding: false, // whether the autopilot was told to stop after a game
  isSure: false, // whether a discard was asked for once
  reactions: [], // lines of those that are shown now
  turnSince: 0,
  chosen: undefined, // card: its text
  place: undefined, // key of a place
  way: 0,
};

let drawAll = () => {};
let due = 0;

export const drawWith = (all) => (drawAll = all);

// Draw the page again, once for all that has just happened; in a hidden tab, too, for its title.
export function draw() {
  due = due || setTimeout(() => {
    due = 0;
    drawAll();
  });
}

// What a tap or a key does, and the page drawn again.
export const act = (what) => (event) => {
  what(event);
  draw();
};

let connection;
let number = 0;
let numbered = 0; // lines of news: their keys
const asked = new Map();

export function useConnection(opened) {
  connection?.close();
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

function noteAnswer(answer) {
  const text = (answer.lines ?? []).join(" ");
  if (answer.asks) {
    onQuestion(text);
  } else if (text) {
    state.note = text;
  }
}

// What this browser keeps for the next time, by name; a private window may keep nothing.
const attempt = (what) => { try { return what() || {}; } catch { return {}; } };
export const kept = (name) => attempt(() => JSON.parse(localStorage.getItem(name)));
export const keep = (name, value) => attempt(() => localStorage.setItem(name, JSON.stringify(value)));

// At /stage nobody plays.
export const isStage = location.pathname === "/stage";
export const isTable = () => Boolean(state.parts.table);
export const isGame = () => Boolean(state.parts.mine);
export const isWatching = () => isTable() && state.own.seat === null;
export const isHost = () => Boolean(state.own.host) && !isGame();
export const isTurn = () => Boolean(state.own.turn) && phase() === "play" && !state.held;
export const isGold = () => Boolean(state.own.offer?.length) && !state.held;
export const phase = () => state.parts.table?.phase;
export const seats = () => (state.held ?? state.parts).seats ?? [];
export const me = () => seats().find(({ seat }) => seat === state.own.seat);
export const table = () => (state.held ?? state.parts).table;
export const mine = () => (state.held ?? state.parts).mine;
export const told = () => (state.held ? state.log.filter(({ key }) => key <= state.held.told) : state.log);
// What goes on with the game, or the evening, for this person.
export const nextCommands = () =>
  (state.own.may || []).filter(({ to, do: word }) => !to && ["ready", "next", "again", "start"].includes(word));
export const may = (word) => (state.own.may || []).find((option) => option.do === word);
export const hand = () => state.own.hand ?? [];
// The sentences on how the last round has ended.
export const howItEnded = () => state.log.findLast(({ is }) => is === "round ended")?.lines ?? [];

// Take a line in; return what of note has happened: a new turn, role or offer, the end of a round.
export const hear = (line) => HEARERS[line.t]?.(line) || {};

const HEARERS = {
  hello() {
    Object.assign(state, { parts: {}, own: {}, log: [], hall: undefined, note: "", held: undefined, verdict: "" });
    letGo();
  },
  public: hearPublic,
  own: hearOwn,
  answer: hearAnswer,
  error: hearAnswer,
  say: ({ lines }) => void (state.note = lines.at(-1)),
  reaction: showReaction,
  hall: (line) => void (state.hall = line),
  end({ text }) {
    state.ending = text || (isTable() && !isWatching() ? words.ended : words.ended_watch);
    Object.assign(state, { parts: {}, own: {}, hall: undefined, held: undefined });
  },
};

function hearAnswer(line) {
  asked.get(line.id)?.(line);
  asked.delete(line.id);
}

function showReaction(line) {
  state.reactions = [...state.reactions.filter(({ name }) => name !== line.name), line];
  setTimeout(() => {
    state.reactions = state.reactions.filter((shown) => shown !== line);
    draw();
  }, REACTION_MS);
}

let reactedAt = 0;

export function react(word) {
  if (Date.now() - reactedAt > PAUSE_MS) {
    reactedAt = Date.now();
    send({ do: word });
  }
}

function hearPublic({ t, n, all, news, ...parts }) {
  const before = state.parts;
  if (parts.end && before.table && !before.end) {
    state.held = { ...before, mine: parts.mine ?? before.mine, told: numbered };
    state.isEnding = true;
  } else if (parts.end?.lines && before.end && !before.end.lines) {
    state.isEnding = true; // gold was shared, and the game is over
  }
  state.parts = all ? parts : { ...before, ...parts };
  if (phase() !== "play") {
    letGo(); // what is done with a chosen card would stand in the place of what goes on
  }
  const round = Boolean(state.held) && state.parts.table.round !== state.held.table.round;
  if (round) {
    Object.assign(state, { held: undefined, verdict: "" }); // a watcher is not asked to go on
  }
  if (state.parts.table?.turn !== before.table?.turn) {
    state.turnSince = Date.now();
  }
  if (all && isGame() && !state.log.length) {
    send({ do: "log", text: OLD_LOG }, ({ lines }) => {
      // One's role is told there, too, and somebody could look on.
      const known = new Set([...state.log.map(({ text }) => text), state.own.role?.text]);
      const old = lines.filter((text) => !known.has(text));
      state.log.unshift(...old.map((text) => ({ is: "old", key: (numbered += 1), text })));
    });
  }
  return { round, goal: news.some((event) => event.is === "revealed") };
}

function hearOwn(line) {
  const before = state.own;
  const turn = line.turn && !before.turn;
  const happened = { end: state.isEnding, turn, offer: line.offer.length && !before.offer?.length, role: line.role };
  state.isEnding = false;
  state.own = line;
  for (const event of line.news.filter(({ is }) => is !== "dwarf dealt")) {
    const lines = event.is === "game ended" ? event.lines.slice(-1) : event.lines; // before, a table
    state.log.push(...lines.map((text) => ({ ...event, text, key: (numbered += 1) })));
  }
  state.log.splice(0, Math.max(0, state.log.length - MOST_LOG));
  if (line.news.length) {
    state.note = line.news.find((event) => event.is === "private")?.lines.join(" ") ?? "";
  }
  if (!hand().some((kind) => kind.card === state.chosen)) {
    letGo();
  }
  if (turn) {
    preselect(); // a card may have been chosen before
  }
  const isLanding = Boolean(line.auto) && !isGame();
  if (isLanding && !state.isLanding) {
    send({ do: "auto" }, () => {}); // a bot that has played a game to its end plays no other one
  }
  state.isLanding = isLanding;
  return happened;
}

// What is chosen.

export const letGo = () => Object.assign(state, { chosen: undefined, place: undefined, way: 0, isSure: false });

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
export const isCell = (key) => Boolean(key) && !key.startsWith("s");

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
  if (isSame || phase() !== "play" || !hand().some((kind) => kind.card === card)) {
    return;
  }
  state.chosen = card;
  preselect();
}

// The best place; whom to hit is never guessed: the player's own cart would be a tap away.
function preselect() {
  const [best] = places().keys();
  state.place = isCell(best) ? best : undefined;
}

export function step(by) {
  const keys = [...places().keys()];
  if (keys.length) {
    const at = keys.indexOf(state.place);
    state.place = keys[(at + by + (at < 0 && by < 0 ? 1 : 0) + keys.length) % keys.length];
    state.way = 0;
  }
}

// Turn the card around where it is.
export const canTurn = () => (places().get(state.place) ?? []).length > 1;

export const turn = () => Object.assign(state, { way: state.way + (canTurn() ? 1 : 0), isSure: false });

export function play() {
  const now = way();
  if (now && isTurn()) {
    send({ do: now[0] });
    letGo();
  }
}

// The first tap asks, the second one discards.
export function discard() {
  const kind = chosenKind();
  if (!kind?.discard || !isTurn()) {
    return;
  }
  if (!state.isSure) {
    state.isSure = true;
    return;
  }
  send({ do: kind.discard });
  letGo();
}

// A tap on a place: the first one chooses it, the second one plays there.
export function aim(key) {
  if (state.place === key) {
    play();
  } else if (places().has(key)) {
    Object.assign(state, { place: key, way: 0, isSure: false });
  }
}

// The line over the mine: a note, or what to do now, and why nothing else can be done.
export function advice() {
  const hurt = words.no_digging[me()?.broken?.[0]];
  const kind = chosenKind();
  if (state.held) {
    return "";
  }
  if (state.note) {
    return state.note;
  }
  if (isWatching()) {
    return isStage ? "" : isGame() ? words.you_watch : may("sit") ? words.tap_seat : "";
  }
  if (!isTurn()) {
    return kind ? kind.text : "";
  }
  if (!kind) {
    return hurt || words.choose_card;
  }
  if (!kind.ways.length) {
    return (Object.keys(kind.lies).length && hurt) || words.only_discard;
  }
  return isCell([...places().keys()][0]) ? words.choose_place : words.choose_player;
}
