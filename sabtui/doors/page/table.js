// A game, the lobby before it, or a club's hall, as a tree of all that is shown now; the keyboard's keys.
import { isNear, look, magnify, placeAt, seePlaces } from "./camera.js";
import {
  AboutTable, Key, Line, Reactions, RoleCard, RoleFace, classList, colourOf, command, nameOf,
} from "./parts.js";
import { Picture } from "./pictures.js";
import {
  closeSheet, flyOrNot, isSheet, showDwarf, showEnd, showGold, showHint, showLesson, showMenu, showPlayer, showSettings, showTalk,
} from "./sheets.js";
import {
  act, advice, aim, canTurn, cellOf, choose, chosenKind, discard, hand, isCell, isGame, isGold, isHost, isStage, isTurn,
  letGo, lying, may, mine, nextCommands, phase, places, play, seats, send, state, step, table, told, turn, way,
} from "./state.js";
import { html } from "./vendor/preact.js";
import words from "./words.js";

// Seconds of a turn after which all see how long it has lasted.
const CLOCK_S = 15;
// A scale at which a tile is as wide as a finger, and needs no magnifier.
const FINGER_SCALE = 0.55;

export const Table = ({ join }) => html`
  <${Top} /><${People} /><${Mine} /><${News} /><${Hand} />${join}
  ${!isStage && !state.chosen && html`<${Reactions} />`}
  <nav id="keys"><${Keys} /></nav>
  ${state.isPeeking && html`<div id="peek" role="status"><${RoleFace} /></div>`}
`;

export const isFine = () =>
  (state.own.connection || "connected") === "connected" && !state.own.auto && !table().paused;

function Top() {
  const { own, held } = state;
  const { waits, round, rounds, pile, lines = [], name } = table();
  const seconds = Math.floor((Date.now() - state.turnSince) / 1000);
  const now = isTurn() ? words.your_turn : isGold() ? words.your_gold : held ? "" : waits;
  const clock = isFine() && phase() === "play" && seconds >= CLOCK_S && !held;
  return html`<header id="top">
    <b id="pill" role="status">${isFine() ? now : own.prompt}</b>
    <span aria-hidden="true">${clock && `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`}</span>
    ${isGame()
      ? html`<span id="facts" role="img" aria-label=${lines.join(" ")}>
          ${round}/${rounds} <${Picture} name="pile-2" />${pile}</span>`
      : html`<span id="facts">${name}</span>`}
    ${own.role && html`<${RoleCard} id="role"><${Picture} name="back" card /></${RoleCard}>`}
  </header>`;
}

function People() {
  const reach = places();
  const rows = seats().filter((player) => !isGame() || player.cards !== undefined);
  return html`<div id="people">
    ${rows.map((player) => html`<${Player} key=${player.seat} ...${{ player, reach }} />`)}
  </div>`;
}

function Player({ player, reach }) {
  const spot = `s${player.seat}`;
  const isAimed = reach.has(spot);
  const isMe = player.seat === state.own.seat;
  const isNow = isGame() ? table().turn === player.seat && !state.held : player.ready;
  const isAway = player.presence !== undefined && player.presence !== "there";
  const reaction = state.reactions.find(({ seat }) => seat === player.seat);
  const about = player.text || [player.name || words.free, isGame() ? "" : stateOf(player)].join(" ");
  const classes = { who: true, now: isNow, aim: isAimed, chosen: isAimed && state.place === spot, away: isAway };
  return html`<button type="button" class=${classList(classes)} style=${colourOf(player)} aria-current=${Boolean(isNow)}
    aria-label=${`${isMe ? `${words.you}: ` : ""}${about}`} onclick=${act(() => tapPlayer(player, isAimed))}>
    <div class="face">
      ${player.picture && html`<${Picture} name=${player.picture} />`}
      ${player.cards !== undefined && html`<i class="cards">${player.cards}</i>`}
      ${Boolean(player.gold_cards) && html`<i class="gold">${player.gold_cards}</i>`}
    </div>
    <b>${nameOf(player)}</b>
    ${reaction && html`<em aria-hidden="true">${words.reactions[reaction.is]}</em>`}
    <span>${(player.broken || []).map((tool) => html`<${Picture} key=${tool} name=${`${tool}-broken`} class="tool" />`)}
      ${isGame() ? "" : stateOf(player)}</span>
  </button>`;
}

const stateOf = ({ is, level, ready }) =>
  ({ free: words.free, bot: `${words.bot} \u00b7 ${words.levels[level] || level}` }[is] || (ready ? words.ready : ""));

function tapPlayer(player, isAimed) {
  if (isAimed) {
    aim(`s${player.seat}`);
  } else if (player.is !== "free") {
    player.seat === state.own.seat && may("face") ? showDwarf() : showPlayer(player);
  } else if (may("sit")?.to?.includes(player.seat)) {
    send({ do: "sit", text: player.seat });
  }
}

// The cell of the newest card of this round.
const newest = () => state.log.findLast(({ is, cell }) => cell || is === "round began")?.cell || [];

function Mine() {
  const { cards, goals, lines } = mine();
  const seen = look();
  const laid = new Set(cards.map(({ x, y }) => `${x},${y}`));
  const known = new Map((state.own.looked || []).map((goal) => [`${goal.x},${goal.y}`, goal]));
  const hidden = goals.filter(({ x, y }) => !laid.has(`${x},${y}`)).map((goal) => known.get(`${goal.x},${goal.y}`) || goal);
  return html`<main id="mine" onclick=${act(tapMine)}>
    <div id="field" style=${{ "--cx": seen.x, "--cy": seen.y, "--s": seen.scale }}>
      ${[...cards, ...hidden].map(tile)}
      ${[...places()].filter(([spot]) => isCell(spot)).map(place)}
    </div>
    ${(isNear() || seen.scale < FINGER_SCALE) && !state.held && html`<button id="zoom" type="button" aria-hidden="true"
      tabindex="-1" onclick=${act(() => magnify(newest()))}>${isNear() ? "\u2212" : "+"}</button>`}
    ${state.verdict && html`<h2 id="verdict">${state.verdict}</h2>`}
    <ul id="told" class="unseen">${lines.map((text) => html`<li>${text}</li>`)}</ul>
  </main>`;
}

function tapMine(event) {
  const place = event.target.closest(".place");
  const spot = event.detail ? placeAt(event) : place?.dataset.at;
  event.target.closest("#zoom") || aim(spot);
}

// A goal that is turned up is another element, so that it is seen to turn.
function tile({ x, y, picture, state: is = "" }) {
  const [newX, newY] = newest();
  const goal = mine().goals.some((one) => one.x === x && one.y === y) ? picture : "";
  const isTurned = goal && goal !== "goal";
  const classes = { tile: true, "cut-off": is === "cut off", new: newX === x && newY === y, turned: isTurned };
  const at = { "--x": x, "--y": y };
  return html`<${Picture} key=${`${x},${y} ${goal}`} name=${picture} class=${classList(classes)} style=${at} />`;
}

// A cell in words, as a person counts from the start card.
function sayCell([x, y]) {
  const { east, west, south, north } = words.sides;
  const steps = [x > 0 ? east : west, y > 0 ? south : north].map((side, axis) => [[x, y][axis], side]);
  return steps.filter(([count]) => count).map(([count, side]) => side.replace("{count}", Math.abs(count))).join(", ");
}

function place([spot, ways]) {
  const [kind, isChosen] = [chosenKind(), spot === state.place];
  const [x, y] = cellOf(spot);
  const shown = ways[isChosen ? state.way % ways.length : 0];
  const lies = shown[0].split("@")[0] in kind.lies;
  return html`<button key=${`place ${spot}`} type="button" data-at=${spot} style=${{ "--x": x, "--y": y }}
    class=${classList({ place: true, chosen: isChosen, bare: !lies })} aria-pressed=${isChosen}
    aria-label=${`${kind.short}: ${sayCell([x, y])}`}>
    ${lies && html`<${Picture} name=${lying(kind, shown)} />`}<b>${ways.length > 1 ? "\u21bb" : ""}</b>
  </button>`;
}

// What happened, oldest first, and each line once: a reader of the screen is told what is new.
function News() {
  const lines = told();
  const said = advice();
  return html`<div id="news">
    <p id="advice" role="status">${said === lines[lines.length - 1]?.text ? "" : said}</p>
    ${state.reactions.map(({ name, seat, text }) => html`<em key=${name} class=${seat ? "unseen" : ""} role="status">${text}</em>`)}
    <div role="log"><div>${lines.map((entry) => html`<${Line} key=${entry.key} entry=${entry} />`)}</div></div>
  </div>`;
}

const Hand = () => html`<div id="hand">${hand().map(card)}</div>`;

const pick = (which) => {
  choose(which);
  seePlaces();
};

function card(kind, at) {
  const isChosen = kind.card === state.chosen;
  const now = isChosen && way();
  const classes = { held: true, chosen: isChosen, idle: isTurn() && !kind.ways.length };
  return html`<button key=${kind.card} type="button" class=${classList(classes)} aria-pressed=${isChosen}
    aria-label=${kind.text} aria-keyshortcuts=${at + 1} onclick=${act(() => pick(kind.card))}>
    <${Picture} name=${now ? lying(kind, now) : kind.picture} card />
    <b>${kind.count > 1 ? `\u00d7${kind.count}` : ""}</b><span>${kind.short}</span>
  </button>`;
}

const menu = html`<${Key} key="menu" text="\u2630" does=${showMenu} name="menu" label=${words.menu} />`;

// For a chosen card what can be done with it; else what else can be done. The menu stays where it is.
function Keys() {
  const { own } = state;
  const kind = chosenKind();
  if (kind) {
    const now = way();
    const tool = now && (/:([PLC])$/.exec(now[0]) || [])[1];
    const verb = tool ? `${words.verbs.repair}: ${words.tools[tool]}` : words.verbs[kind.is];
    return [
      html`<${Key} key="turn" text="\u21bb" does=${turn} name="menu" isOff=${!canTurn()} label=${words.turn} />`,
      html`<${Key} key="play" text=${verb} does=${play} name="main" isOff=${!isTurn() || !now} />`,
      html`<${Key} key="discard" text=${state.isSure ? `${words.discard}?` : words.discard} does=${discard}
        name=${state.isSure ? "sure" : ""} isOff=${!isTurn()} />`,
      menu,
    ];
  }
  const isBetween = phase() !== "play" && !state.held;
  return [
    isGold() && html`<${Key} key="gold" text=${words.gold} does=${showGold} name="main" />`,
    isBetween && !isGold() && nextCommands().map((option) => html`<${Key} key=${option.do} text=${option.label}
      does=${() => command(option)} name="main" />`),
    state.parts.end && !state.held && html`<${Key} key="end" text=${words.result} does=${showEnd} />`,
    !isStage && html`<${Key} key="talk" text=${words.talk} does=${showTalk} />`,
    own.hints && phase() === "play" && html`<${Key} key="hint" text=${words.hint} does=${showHint} />`,
    menu,
  ];
}

// Before a game: the lobby of a table, and the hall of a club.

const lesson = () => html`<${Key} key="lesson" text=${words.how_to_play} does=${showLesson} />`;
const talk = () => html`<${Key} key="talk" text=${words.talk} does=${showTalk} />`;

export function Lobby({ join }) {
  const isFree = seats().some((player) => player.is === "free");
  return html`<${Top} /><${People} /><${News} />
    <div id="hall">${join}${!isStage && html`<${Reactions} />`}<${AboutTable} /></div>
    <nav id="keys">
      ${nextCommands().map((option) => html`<${Key} key=${option.do} text=${option.label} does=${() => command(option)} name="main" />`)}
      ${isHost() && isFree && html`<${Key} key="bot" text=${words.add_bot} does=${() => send({ do: "bot" })} />`}
      ${isHost() && html`<${Key} key="settings" text=${words.settings} does=${showSettings} />`}
      ${!isStage && [!isHost() && lesson(), talk(), menu]}
    </nav>`;
}

export function Hall({ join }) {
  const { title = "", lines = [], tables = [], people = [], talk: said = [] } = state.hall || {};
  const known = [title, ...lines, ...tables, ...people, ...said];
  const go = (at) => act(() => send(isStage ? { do: "watch", text: at + 1 } : { do: `${at + 1}` }));
  return html`
    <header id="top"><b id="pill" role="status">${title || "Sabtui"}</b></header>
    <div id="hall">
      ${join}
      ${lines.map((text) => html`<p>${text}</p>`)}
      ${tables.map((text, at) => html`<button type="button" onclick=${go(at)}><${Picture} name="pile-2" /> ${text}</button>`)}
      ${people.map((text) => html`<p>${text}</p>`)}
      <div class="log" role="log">${said.map((text) => html`<span class="said">${text}</span>`)}</div>
      <p role="status">${known.includes(state.note) ? "" : state.note}</p>
    </div>
    <nav id="keys">${!isStage && [
      html`<${Key} key="new" text=${words.new_table} does=${() => send({ do: "new" })} name="main" />`,
      lesson(),
      talk(),
    ]}</nav>`;
}

// Keys of a keyboard.
const go = (by) => () => {
  step(by);
  seePlaces();
};

const KEYS = {
  n: go(1),
  ArrowRight: go(1),
  ArrowDown: go(1),
  N: go(-1),
  ArrowLeft: go(-1),
  ArrowUp: go(-1),
  r: turn,
  x: discard,
  z: () => isGame() && magnify(newest()),
  t: () => isStage || showTalk(),
  v: () => (state.isPeeking = Boolean(state.own.role)),
  A: flyOrNot,
  "?": showMenu,
  Escape: letGo,
  Enter: () => document.querySelector("#keys .main:enabled")?.click(),
};

export function listenToKeys(ground) {
  // A button that was clicked has no focus: Enter plays, whatever was clicked before.
  window.addEventListener("click", ({ detail, target }) => detail && target.closest("#table button")?.blur());
  window.addEventListener("keydown", (event) => {
    const { key, target } = event;
    const isTyping = ["INPUT", "SELECT"].includes(target.tagName);
    if (ground.hidden || event.ctrlKey || event.metaKey || event.altKey || (isTyping && key !== "Escape")) {
      return;
    }
    const hides = state.isPeeking && !target.closest(".closed"); // there Enter turns the card itself
    const isDigit = /^[1-9]$/.test(key);
    if (hides) {
      act(() => (state.isPeeking = false))();
    } else if (isSheet() && isDigit && isTurn()) {
      closeSheet();
    } else if (isSheet()) {
      if (key === "Escape") {
        closeSheet();
      } else if (key === "Enter" && !target.closest("#sheet button, #sheet summary")) {
        document.querySelector("#sheet .main, #sheet .gold")?.click(); // what had the focus has gone
      }
      return; // a sheet has its own keys
    }
    if (key === "Enter" && target.matches("#keys button")) {
      return; // the button itself is pressed
    }
    if (isDigit) {
      act(() => pick((hand()[key - 1] || {}).card))();
    } else if (!(hides && ["v", "Escape"].includes(key)) && KEYS[key]) {
      act(KEYS[key])();
    } else if (!hides) {
      return;
    }
    event.preventDefault();
  });
}
