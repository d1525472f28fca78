// Draws all of the table from what the lines have told.
import { look, recentre } from "./camera.js";
import { button, byId, group, keep, make, picture, set } from "./elements.js";
import { show } from "./pictures.js";
import {
  advice,
  aim,
  cellOf,
  choose,
  chosenKind,
  discard,
  hand,
  isGame,
  isGold,
  isStage,
  isTable,
  isTurn,
  letGo,
  lying,
  mine,
  newestFirst,
  noteAnswer,
  phase,
  places,
  play,
  seats,
  send,
  state,
  step,
  table,
  turn,
  way,
} from "./state.js";
import { showEnd, showGold, showMenu, showPlayer, showRole, showTalk } from "./sheets.js";
import words from "./words.js";

export const COLOURS = [
  "#7fc8e8",
  "#e89bc0",
  "#a8d672",
  "#f0b45c",
  "#b9a4f0",
  "#6fd6b4",
  "#f09a86",
  "#d9d06a",
  "#9db4ff",
  "#d8b48c",
];
// Seconds of a turn after which all see how long it has lasted.
const CLOCK_S = 15;

let due = 0;

export function draw() {
  due ||= requestAnimationFrame(() => {
    due = 0;
    drawAll();
  });
}

function act(what) {
  return () => {
    what();
    recentre();
    draw();
  };
}

function drawAll() {
  byId("hall").hidden = isGame();
  const { classList } = document.body;
  classList.toggle("turn", isTurn() || isGold());
  classList.toggle("lobby", isTable() && !isGame());
  classList.toggle("hall", !isTable());
  if (isTable()) {
    drawTop();
    drawPeople();
    drawMine();
    drawHand();
    drawKeys();
    drawLobby();
  } else {
    drawHall();
  }
  drawNews();
}

// The evening so far, who watches, and the settings.
export function aboutTable() {
  const { settings = {}, evening = [], watching = [] } = table() ?? {};
  const watchers = watching.length ? [`${words.watching}: ${watching.join(", ")}`] : [];
  return [...evening, ...watchers, ...Object.values(settings)];
}

// What stands about a table before its game.
function drawLobby() {
  const lines = isGame() ? [] : aboutTable();
  keep(
    byId("hall"),
    lines.map((text) => [text, () => make("p", "", text), () => {}]),
  );
}

// A club's hall, before a table: its lines, each table as it was told last.
function drawHall() {
  const numberOf = (text) => /^(\d+) /.exec(text)?.[1];
  const last = new Map(state.hall.map((text) => [numberOf(text) ?? text, text]));
  keep(
    byId("hall"),
    [...last.values()].map((text, at) => {
      const number = numberOf(text);
      const join = () => send({ do: number });
      return [
        `${at} ${text}`,
        () => (number ? button(text, join) : make("p", "", text)),
        () => {},
      ];
    }),
  );
  keep(byId("keys"), keyRows(isStage ? [] : [[words.new_table, () => send({ do: "new" }), "main"], [words.talk, showTalk]]));
  keep(byId("people"), []);
  keep(byId("hand"), []);
  set(byId("pill"), { text: "Sabtui" });
  set(byId("facts"), { text: "" });
  set(byId("role"), { text: "" });
}

export function drawTop() {
  if (!isTable()) {
    return;
  }
  const { own } = state;
  const seconds = Math.floor((Date.now() - state.turnSince) / 1000);
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  const hasClock = phase() === "play" && seconds >= CLOCK_S && !state.held;
  const isFine = own.connection === undefined || own.connection === "connected";
  let now = isTurn() ? words.your_turn : isGold() ? words.your_gold : table().waits;
  if (!isFine || own.auto || table().paused) {
    now = own.prompt;
  }
  set(byId("pill"), { text: hasClock ? `${now} ${clock}` : now });
  set(byId("facts"), { text: isGame() ? (table().lines ?? []).join(" ") : table().name });
  const role = own.role ?? { name: "", is: "" };
  set(byId("role"), { text: role.name, class: role.is });
}

function drawPeople() {
  const reach = places();
  const rows = seats().filter((player) => !isGame() || player.cards !== undefined);
  keep(
    byId("people"),
    rows.map((player) => [`s${player.seat}`, makePlayer, (who) => drawPlayer(who, player, reach)]),
  );
}

function makePlayer() {
  const who = make("button");
  who.type = "button";
  who.append(group("face", make("img")), make("b"), make("span"));
  return who;
}

function drawPlayer(who, player, reach) {
  const key = `s${player.seat}`;
  const isAimed = reach.has(key);
  const [face, name, facts] = who.children;
  const classes = {
    who: true,
    now: isGame() ? table().turn === player.seat && !state.held : player.ready,
    aim: isAimed,
    chosen: isAimed && state.place === key,
    away: player.presence !== undefined && player.presence !== "there",
    hurt: player.broken?.length,
  };
  const isMe = player.seat === state.own.seat;
  set(who, {
    class: Object.keys(classes).filter((is) => classes[is]).join(" "),
    "--c": COLOURS[player.colour ?? 0],
    "aria-label": player.text ?? player.name ?? words.free,
    "aria-current": String(Boolean(classes.now)),
  });
  const dwarf = face.firstChild;
  dwarf.hidden = !player.picture;
  dwarf.alt = "";
  if (player.picture) {
    show(dwarf, player.picture);
  }
  const tools = player.broken ?? [];
  if (face.dataset.tools !== tools.join()) {
    face.dataset.tools = tools.join();
    face.replaceChildren(dwarf, ...tools.map((tool) => picture(`${tool}-broken`, tool, "tool")));
  }
  set(name, { text: isMe ? words.you : player.name ?? `${player.seat}` });
  set(facts, { text: factsOf(player) });
  who.onclick = act(() => tapPlayer(player, isAimed));
}

function factsOf(player) {
  if (player.cards !== undefined) {
    const gold = player.gold_cards ? ` ${player.gold_cards}\u2605` : "";
    return `${words.cards[player.cards]}${gold}`;
  }
  if (player.is === "free") {
    return words.free;
  }
  return player.is === "bot" ? words.bot : player.ready ? words.ready : "";
}

function tapPlayer(player, isAimed) {
  if (isAimed) {
    aim(`s${player.seat}`);
    return;
  }
  const sit = (state.own.may ?? []).find((may) => may.do === "sit");
  if (player.is === "free" && sit?.to?.includes(player.seat)) {
    send({ do: "sit", text: player.seat });
  } else if (player.is !== "free") {
    showPlayer(player);
  }
}

function drawMine() {
  if (!isGame()) {
    keep(byId("field"), []);
    byId("map").hidden = true;
    return;
  }
  const { cards, goals, lines } = mine();
  const newest = state.log.findLast((line) => line.cell)?.cell ?? [0, 0];
  const { style, map } = look(newest);
  set(byId("field"), style);
  const laid = new Set(cards.map(({ x, y }) => `${x},${y}`));
  const seen = new Map((state.own.looked ?? []).map((goal) => [`${goal.x},${goal.y}`, goal]));
  const hidden = goals
    .filter(({ x, y }) => !laid.has(`${x},${y}`))
    .map((goal) => seen.get(`${goal.x},${goal.y}`) ?? goal);
  const tiles = [...cards, ...hidden].map((card) => tileOf(card, newest));
  const lit = [...places()].filter(([key]) => !key.startsWith("s")).map(placeOf);
  keep(byId("field"), [...tiles, ...lit]);
  keep(
    byId("told"),
    lines.map((text) => [text, () => make("li", "", text), () => {}]),
  );
  drawMap(map);
}

function tileOf({ x, y, picture: name, state: is = "" }, newest) {
  const isNew = newest[0] === x && newest[1] === y;
  return [
    `${x},${y}`,
    () => picture(name, "", "tile"),
    (tile) => {
      show(tile, name);
      const classes = `tile ${is.replace(" ", "-")} ${isNew ? "new" : ""}`;
      set(tile, { class: classes, "--x": x, "--y": y });
    },
  ];
}

function placeOf([key, ways]) {
  const isChosen = key === state.place;
  const kind = chosenKind();
  const [x, y] = cellOf(key);
  const shown = ways[isChosen ? state.way % ways.length : 0];
  return [
    `place ${key}`,
    () => {
      const place = make("button");
      place.type = "button";
      place.append(make("img"), make("b"));
      return place;
    },
    (place) => {
      const lies = shown[0].split("@")[0] in kind.lies;
      const classes = `place ${isChosen ? "chosen" : ""} ${lies ? "" : "bare"}`;
      set(place, { class: classes, "--x": x, "--y": y, "aria-label": `${kind.short} ${shown[0]}` });
      const [image, sign] = place.children;
      image.hidden = !lies;
      image.alt = "";
      if (lies) {
        show(image, lying(kind, shown));
      }
      set(sign, { text: ways.length > 1 ? "\u21bb" : "" });
      place.onclick = act(() => aim(key));
    },
  ];
}

function drawMap(seen) {
  const map = byId("map");
  map.hidden = !seen;
  if (!seen) {
    return;
  }
  const { cards, goals } = mine();
  const dot = (name, { x, y }) => {
    const mark = make("i", name);
    set(mark, { "--x": x - seen.left, "--y": y - seen.low });
    return mark;
  };
  const frame = make("u");
  set(frame, {
    "--x": seen.x - seen.wide / 2 + 0.5 - seen.left,
    "--y": seen.y - seen.tall / 2 + 0.5 - seen.low,
    "--w": seen.wide,
    "--h": seen.tall,
  });
  set(map, { "--w": seen.right - seen.left + 1, "--h": seen.high - seen.low + 1 });
  map.replaceChildren(
    ...cards.map((card) => dot("", card)),
    ...goals.map((goal) => dot("goal", goal)),
    frame,
  );
}

function drawHand() {
  keep(
    byId("hand"),
    hand().map((kind, at) => [kind.card, makeCard, (card) => drawCard(card, kind, at)]),
  );
}

function makeCard() {
  const card = make("button");
  card.type = "button";
  card.append(make("img", "card"), make("span"), make("b"));
  return card;
}

function drawCard(card, kind, at) {
  const isChosen = kind.card === state.chosen;
  const isIdle = isTurn() && !kind.ways.length;
  const now = isChosen ? way() : undefined;
  const [image, name, count] = card.children;
  show(image, now ? lying(kind, now) : kind.picture, true);
  image.alt = "";
  set(name, { text: kind.short });
  set(count, { text: kind.count > 1 ? `\u00d7${kind.count}` : "" });
  set(card, {
    class: `held ${isChosen ? "chosen" : ""} ${isIdle ? "idle" : ""}`,
    "aria-pressed": String(isChosen),
    "aria-label": kind.text,
    "aria-keyshortcuts": String(at + 1),
  });
  card.onclick = act(() => choose(kind.card));
}

// Keys from rows: a text, what it does, a class, whether it is off now, and a label for who hears it.
function keyRows(rows) {
  return rows.map(([text, does, className = "", isOff = false, label = text]) => [
    text,
    () => button(text, does),
    (key) => {
      key.ariaLabel = label;
      key.disabled = isOff;
      key.className = className;
      key.onclick = does;
    },
  ]);
}

// Let a bot play, or take over again: the pill tells of it.
export function flyOrNot() {
  send({ do: "auto" }, () => {});
}

export function deed(may) {
  send({ do: may.do }, (answer) => {
    noteAnswer(answer);
    draw();
  });
}

function mainDeed(may) {
  return ["ready", "next", "again", "start"].includes(may.do);
}

function drawKeys() {
  const { own } = state;
  const rows = [];
  const may = (own.may ?? []).filter((option) => !option.to);
  if (own.offer?.length) {
    rows.push([words.gold, showGold, "main"]);
  } else if (isGame() && phase() === "play" && own.seat !== null) {
    const kind = chosenKind();
    const reach = places();
    const hasTurn = [...reach.values()].flat().length > reach.size || (kind?.lies && reach.size > 1);
    const verb = toolOf(way()) ?? words.deeds[kind?.is ?? "through"];
    rows.push(["\u21bb", act(turn), "menu", !hasTurn || !kind, words.turn]);
    rows.push([verb, act(play), "main", !isTurn() || !way()]);
    rows.push([words.discard, act(discard), "", !isTurn() || !kind]);
  }
  for (const option of phase() === "play" ? [] : may.filter(mainDeed)) {
    rows.push([option.label, () => deed(option), "main"]);
  }
  if (state.parts.end && !state.held) {
    rows.push([words.result, showEnd]);
  }
  if (own.host && !isGame() && seats().some((player) => player.is === "free")) {
    rows.push([words.add_bot, () => send({ do: "bot" })]);
  }
  if (!isStage) {
    rows.push([words.talk, showTalk]);
  }
  rows.push(["\u2630", showMenu, "menu", false, "?"]);
  keep(byId("keys"), keyRows(rows));
}

// The words for repairing a tool with a card that repairs either of two.
function toolOf(now) {
  const tool = /:([PLC])$/.exec(now?.[0] ?? "")?.[1];
  return tool && `${words.deeds.repair}: ${words.tools[tool]}`;
}

function drawNews() {
  const lines = state.held ? state.log.slice(0, state.held.said) : state.log;
  const told = newestFirst(lines.slice(-40));
  const said = advice() === told[0]?.text ? "" : advice();
  const rows = told.map((entry, at) => [`${at} ${entry.text}`, () => lineOf(entry), () => {}]);
  keep(byId("news"), [
    ...(said ? [["advice", () => make("span", "advice"), (line) => set(line, { text: said })]] : []),
    ...rows,
  ]);
}

// A line of the log, in the colour of whose deed it was.
export function lineOf(entry) {
  const line = make("span", entry.is === "chatted" ? "said" : "", entry.text);
  const who = seats().find((player) => player.seat === entry.seat);
  if (who && entry.text.startsWith(who.name)) {
    const name = make("b", "", who.name);
    set(name, { "--c": COLOURS[who.colour] });
    line.replaceChildren(name, entry.text.slice(who.name.length));
  }
  return line;
}

// Keys of a keyboard.
const KEYS = {
  n: () => stepTo(1),
  ArrowRight: () => stepTo(1),
  ArrowDown: () => stepTo(1),
  N: () => stepTo(-1),
  ArrowLeft: () => stepTo(-1),
  ArrowUp: () => stepTo(-1),
  r: act(turn),
  x: act(discard),
  t: () => isStage || showTalk(),
  v: showRole,
  A: flyOrNot,
  "?": showMenu,
  Escape: act(letGo),
  Enter: () => document.querySelector("#keys .main:enabled")?.click(),
};

const stepTo = (by) => act(() => step(by))();

export function listenToKeys() {
  // A button that was clicked has no focus: Enter plays, whatever was clicked before.
  window.addEventListener("click", ({ detail, target }) => {
    if (detail) {
      target.closest("#table button")?.blur();
    }
  });
  window.addEventListener("keydown", (event) => {
    const { key, target } = event;
    const isTyping = ["INPUT", "SELECT"].includes(target.tagName);
    if (byId("table").hidden || isTyping || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const isDigit = /^[1-9]$/.test(key);
    if (byId("sheet").open) {
      if (!isDigit || !isTurn()) {
        return; // a dialog has its own keys
      }
      byId("sheet").close();
    }
    if (key === "Enter" && target.matches("#keys button")) {
      return; // the button itself is pressed
    }
    if (isDigit) {
      act(() => choose(hand()[key - 1]?.card))();
    } else if (KEYS[key]) {
      KEYS[key]();
    } else {
      return;
    }
    event.preventDefault();
  });
}
