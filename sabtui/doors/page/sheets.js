// Sheets over the table: role, talk, a player, gold, the end of a round, the rules, questions.
import { seeAll } from "./camera.js";
import { AboutTable, Line, RoleCard, RoleFace, colourOf, command, isTalk, nameOf } from "./parts.js";
import { Picture } from "./pictures.js";
import {
  act, draw, howItEnded, isGame, isGold, isHost, isStage, isTable, isWatching, keep, kept, may, me, nextCommands, phase,
  seats, send, state,
} from "./state.js";
import { html, render } from "./vendor/preact.js";
import words from "./words.js";

// Between two dwarves who are unmasked; until a sheet closes that nobody has to close.
const [UNMASK_MS, CLOSE_MS] = [600, 15000];
const [MOST_SAID, MOST_DEEDS] = [6, 8];
const DWARF = "sabtui dwarf"; // what is kept: face and colour

const sheet = document.getElementById("sheet");
const nothing = () => null;
let shown = { title: "", body: nothing, keys: nothing };
let closing; // the timer of a sheet that closes automatically
let later; // shows the sheet that waits

export const isSheet = () => sheet.open;
export const isResult = () => sheet.open && shown.isResult;
export const closeSheet = () => sheet.open && sheet.close();

export function drawSheet() {
  const { title, name = "", style = {}, body, keys, isDue = () => true } = shown;
  isDue() || closeSheet();
  const tree = () => html`<h2 id="title" class=${name} style=${style}>${title}</h2>${body()}<div class="row">${keys()}</div>`;
  render(sheet.open ? tree() : null, sheet);
}

export function listenToSheet() {
  sheet.addEventListener("close", () => {
    if (!sheet.open) {
      finish();
      const show = later;
      later = undefined;
      show?.();
    }
    draw();
  });
  sheet.addEventListener("click", (event) => event.target === sheet && sheet.close());
}

const isTyping = () => sheet.open && Boolean(sheet.querySelector("input")?.value);

// Show a sheet that comes unasked: over no half-typed message, but once that is sent or left.
export const showInTime = (show) => (isTyping() ? (later = show) : show());

// Close a sheet that would hide a notice, but no half-typed message.
export const makeRoom = () => isTyping() || closeSheet();

// Once a result is read, all shows what follows. When a sheet's event comes, another may be open.
function finish() {
  clearTimeout(closing);
  if (shown.isResult) {
    shown.isResult = false;
    Object.assign(state, { held: undefined, note: "" });
    seeAll();
    showGold();
  }
}

// Open a sheet with what stands in it now; body and keys, and whether it is still due, are asked again
// whenever the table changes.
function open(title, body, { keys = () => back(words.back), ...rest } = {}) {
  finish();
  render(null, sheet); // so that nothing of the sheet before stays, such as what was typed
  shown = { ...rest, title, body, keys: isStage ? nothing : keys };
  if (!sheet.open) {
    sheet.showModal();
  }
  drawSheet();
  sheet.scrollTop = 0;
  const hasKeyboard = !matchMedia("(pointer: coarse)").matches; // else one would come up and cover it
  const first = hasKeyboard ? ["input", ".main", "button"] : [".main"];
  first.map((name) => sheet.querySelector(name)).find(Boolean)?.focus({ preventScroll: true });
  draw();
}

// A button that does something, and closes the sheet.
function choice(text, does, name = "") {
  const chosen = () => {
    closeSheet();
    does();
  };
  return html`<button type="button" class=${name} onclick=${act(chosen)}>${text}</button>`;
}

const back = (text, name = "main") => choice(text, () => {}, name);
const rowsOf = (rows) => html`<div class="rows">${rows}</div>`;
const paragraphs = (lines, name = "") => lines.map((text) => html`<p class=${name}>${text}</p>`);
const log = (lines) => html`<div class="log">${lines.map((entry) => html`<${Line} key=${entry.key} entry=${entry} />`)}</div>`;

// One's role comes once a round, closed, also if the page is loaded again: somebody may look on.
export function showRoleOnce() {
  const { name, round } = state.parts.table;
  const which = `${name} ${round} ${state.own.seat}`;
  if (!state.own.role || phase() !== "play" || sessionStorage.getItem("role") === which) {
    return;
  }
  sessionStorage.setItem("role", which);
  const closed = html`<${Picture} name="back" card class="large" /><p>${words.hold}</p>`;
  const body = () => html`<${RoleCard}>${state.isPeeking ? html`<${RoleFace} />` : closed}</${RoleCard}>`;
  open(words.role, body, { keys: () => back(words.got_it) });
}

export function askSure(question) {
  const keys = () => [choice(words.no, () => send({ do: "no" }), "main"), choice(words.yes, () => send({ do: "yes" }))];
  open(question, nothing, { keys });
}

// Lines that an answer has.
const showLines = (title, line) =>
  send(line, ({ lines, text }) => open(title, () => paragraphs(lines || [text])));

export const showHint = () => showLines(words.hint, { do: "hint" });

// What was said stands first, then the claims, folded by what they are about.
export function showTalk() {
  let claims = [];
  const say = (event) => {
    event.preventDefault();
    const text = event.target.elements[0].value.trim();
    sheet.close();
    if (text) {
      send({ do: "t", text });
    }
  };
  const said = () => state.log.filter(isTalk).slice(-MOST_SAID);
  const claim = (one) => choice(one.text, () => send({ do: "c", text: claims.indexOf(one) + 1 }));
  const fold = (title, isIn, player) => claims.some(isIn) && html`<details open=${title === words.goals}>
    <summary style=${player && colourOf(player)}>${title}</summary>
    <div class="row">${claims.filter(isIn).map(claim)}</div>
  </details>`;
  open(words.talk, () => html`
    ${isTable() && log(said())}
    <form class="row" onsubmit=${say}>
      <input maxlength="300" placeholder=${words.say} aria-label=${words.say} enterkeyhint="send" />
      <button class="main">${words.send}</button>
    </form>
    ${fold(words.goals, ({ goal }) => goal)}
    ${fold(words.help, ({ goal, about }) => !goal && !about)}
    ${seats().map((player) => player.name && fold(player.name, ({ about }) => about === player.seat, player))}
  `, { keys: () => back(words.back, "") });
  if (isTable() && state.parts.seats) {
    send({ do: "c" }, (answer) => {
      claims = answer.claims || [];
      draw();
    });
  }
}

// What ends everything stands last, and is asked about here first: a tap too many in the same place
// says no.
const isFinal = ({ do: word }) => ["leave", "close"].includes(word);

const askFirst = (option) =>
  open(option.text, nothing, { keys: () => [choice(words.yes, () => command(option)), back(words.no)] });

// Let a bot play, or take over again: the head line says so.
export const flyOrNot = () => state.own.seat && send({ do: "auto" }, () => {});

export function showMenu() {
  const { own, parts } = state;
  const hidden = ["ready", "unready", ...Object.keys(words.reactions), ...(isWatching() ? ["leave"] : [])];
  const options = (own.may || []).filter((option) => !option.to && !option.choices && !hidden.includes(option.do));
  const rows = () => [
    !isStage && choice(words.talk, showTalk),
    own.hints && choice(words.hint, showHint),
    parts.claims && choice(words.claims, () => showLines(words.claims, { do: "claims" })),
    isHost() && choice(words.settings, showSettings),
    may("face") && choice(words.dwarf, showDwarf),
    choice(words.how_to_play, showLesson),
    choice(words.rules, () => showRules(1)),
    isGame() && choice(words.fair, () => showLines(words.fair, { do: "fair" })),
    options.filter((option) => !isFinal(option)).map((option) => choice(option.text, () => command(option))),
    isGame() && own.seat && choice(words.auto, flyOrNot),
    choice(words.leave, () => send({ do: "quit" })),
    options.filter(isFinal).map((option) => choice(option.text, () => askFirst(option))),
  ];
  open(parts.table.name || words.menu, () => html`${rowsOf(rows())}<${AboutTable} />`);
}

export function showRules(page) {
  send({ do: "rules", text: page }, ({ lines = [] }) => {
    const [title, ...rest] = lines;
    const next = () => page < words.rules_pages && choice(words.next, () => showRules(page + 1), "main");
    open(title, () => html`<pre>${rest.join("\n")}</pre>`, { keys: () => [next(), back(words.back, "")] });
  });
}

// A first lesson: pictures and a sentence, five times.
export function showLesson(_event, at = 0) {
  const { pictures, text } = words.lesson[at];
  const isLast = at === words.lesson.length - 1;
  const keys = () => isLast ? back(words.got_it) : choice(words.next, () => showLesson(_event, at + 1), "main");
  const body = () => html`<div class="roles">${pictures.map((name) => html`<${Picture} name=${name} card class="step" />`)}</div>
    <p class="lesson">${text}</p>`;
  open(`${words.how_to_play} ${at + 1}/${words.lesson.length}`, body, { keys });
}

// What the host may set before a game, by a tap each.
export function showSettings() {
  const set = (word, typed) => act(() => send({ do: word, text: typed }));
  const row = ({ word, choices }) => html`<details key=${word}><summary>${state.parts.table.settings[word]}</summary>
    <div class="row">${choices.map(([typed, text]) => html`<button type="button" onclick=${set(word, typed)}>${text}</button>`)}</div>
  </details>`;
  open(words.settings, () => isTable() && words.choices.map(row));
}

// One's own dwarf: each face in one's colour, one's face in each colour. A newcomer brings what was picked before.
const pickLook = ([word, at]) => send({ do: word, text: at + 1 }, () => keep(DWARF, { ...kept(DWARF), [word]: at }));
export const bringDwarf = () => Object.entries(kept(DWARF)).forEach(pickLook);
export function showDwarf() {
  const row = (word) => html`<div class="looks">${may(word)?.choices.map((text, at) => {
    const { face, colour } = { ...me(), [word]: at };
    return html`<button type="button" style=${colourOf({ colour })} aria-label=${text} aria-pressed=${me()[word] === at}
      onclick=${act(() => pickLook([word, at]))}><${Picture} name=${`dwarf-${face}-${colour}`} /></button>`;
  })}</div>`;
  open(words.dwarf, () => ["face", "colour"].map(row), { isDue: () => may("face") });
}

export function showPlayer(player) {
  const did = () => state.log.filter((line) => line.seat === player.seat).slice(-MOST_DEEDS);
  const may = (state.own.may || [])
    .filter(({ to }) => to && (to.includes(player.seat) || to.includes(player.name)))
    .map(({ do: word, to, text }) => choice(text, () => send({ do: word, text: to.includes(player.seat) ? player.seat : player.name })));
  open(player.name, () => html`<p>${player.text}</p>${log(did())}${rowsOf(may)}`, { style: colourOf(player) });
}

export function showGold() {
  if (isGold()) {
    const cards = () => (state.own.offer || []).map(({ nuggets, move, picture }) =>
      choice(html`<${Picture} name=${picture} card alt=${nuggets} />`, () => send({ do: move }), "gold"));
    const body = () => html`<p>${words.choose_gold}</p><div class="row">${cards()}</div>`;
    open(words.your_gold, body, { keys: () => back(words.back, ""), isDue: isGold });
  }
}

// The end of a round: the dwarves are unmasked one by one, saboteurs last; of a game, its podium and
// a table. Once it is closed, the rest of the page shows what follows.
export function showEnd() {
  const { end, seats: all } = state.parts;
  state.verdict = "";
  if (!end) {
    return;
  }
  const players = all.filter((player) => player.role);
  const isOver = Boolean(end.lines);
  const [verdict = words.result, ...rest] = howItEnded();
  const won = (end.winners || []).includes(state.own.seat) ? words.you_win : end.lines && end.lines[0];
  const each = state.held && !isOver ? UNMASK_MS : 0;
  const after = { "--delay": `${players.length * each}ms` };
  const told = isOver ? end.awards || [] : rest;
  const body = () => html`
    ${isOver ? html`<${Podium} players=${players} />` : html`<${Unmasked} ...${{ players, each }} />`}
    <div class="after" style=${after}>
      ${isOver && html`<${Score} ...${{ end, players }} />`}${paragraphs(told, "soft")}
      <p>${next().length ? "" : state.parts.table.waits}</p>
    </div>`;
  const hasOffer = () => Boolean((state.own.offer || []).length); // it is shown once this is closed
  const next = () => hasOffer() ? [] : nextCommands().map((option) => choice(option.label, () => command(option), "main"));
  const keys = () => [next(), next().length ? back(words.back, "") : back(words.next)];
  const isDue = () => Boolean(state.parts.end);
  open(isOver ? won : verdict, body, { keys, isDue, name: end.winner, isResult: true });
  if (isStage || isWatching()) {
    closing = setTimeout(closeSheet, CLOSE_MS);
  }
}

function Unmasked({ players, each }) {
  const order = [...players].sort((one, other) => (one.role === "saboteur") - (other.role === "saboteur"));
  return html`<div class="roles">${order.map((player, at) => html`<figure style=${{ "--delay": `${at * each}ms` }}>
    <${Picture} name=${player.role} card alt=${words.roles[player.role]} />
    <figcaption style=${colourOf(player)}>${nameOf(player)}</figcaption>
  </figure>`)}</div>`;
}

const byGold = (players) => [...players].sort((one, other) => other.nuggets - one.nuggets);

function Podium({ players }) {
  const best = byGold(players).filter(({ nuggets }) => nuggets);
  const rank = ({ nuggets }) => best.findIndex((other) => other.nuggets === nuggets);
  const step = (player, at) => html`<figure class=${`step${at} rank${rank(player)}`} style=${colourOf(player)}>
    <${Picture} name=${player.picture} /><figcaption>${nameOf(player)}</figcaption><b>$${player.nuggets}</b>
  </figure>`;
  return html`<div id="podium">${best.slice(0, 3).map(step)}</div>`;
}

// Everybody's role and nuggets in each round, and the sum.
function Score({ end, players }) {
  const round = ({ roles, nuggets }, { seat }) => html`<td>
    <${Picture} name=${roles[seat - 1]} card alt=${words.roles[roles[seat - 1]]} />${nuggets[seat - 1]}</td>`;
  const row = (player) => html`<tr class=${player.seat === state.own.seat ? "me" : ""}>
    <th scope="row" style=${colourOf(player)}>${nameOf(player)}</th>
    ${end.rounds.map((past) => round(past, player))}<td><b>$${player.nuggets}</b></td></tr>`;
  return html`<table>${byGold(players).map(row)}</table>`;
}
