// Parts that table, lobby and sheets share.
import { Picture } from "./pictures.js";
import { act, react, seats, send, state } from "./state.js";
import { html } from "./vendor/preact.js";
import words from "./words.js";

const COLOURS = "#7fc8e8 #e89bc0 #a8d672 #f0b45c #b9a4f0 #6fd6b4 #f09a86 #d9d06a #9db4ff #d8b48c".split(" ");

export const colourOf = (player) => ({ "--c": COLOURS[(player && player.colour) || 0] });
export const classList = (is) => Object.keys(is).filter((name) => is[name]).join(" ");
export const nameOf = (player) => (player.seat === state.own.seat ? words.you : player.name || `${player.seat}`);

export const isTalk = ({ is }) => ["said", "bot said", "claimed", "bot claimed"].includes(is);

// A line of the log, with the name of whose deed it was in their colour.
export function Line({ entry }) {
  const named = seats().filter(({ name }) => name && entry.text.startsWith(name));
  const who = named.sort((one, other) => other.name.length - one.name.length)[0];
  const name = who && html`<b style=${colourOf(who)}>${who.name}</b>`;
  return html`<span class=${isTalk(entry) ? "said" : ""}>${name}${entry.text.slice(who ? who.name.length : 0)}</span>`;
}

export function Key({ text, does, name = "", isOff = false, label = text }) {
  return html`<button type="button" class=${name} disabled=${isOff} aria-label=${label} onclick=${act(does)}>
    ${text}</button>`;
}

// What a tap shows on one's own dwarf.
export const Reactions = () => html`<div id="reactions">
  ${Object.entries(words.reactions).map(([word, text]) => html`<${Key} key=${word} text=${text} does=${() => react(word)} />`)}
</div>`;

// One's role: a closed card, which is turned up while a finger, or a key, is on it.
export function RoleCard({ id, children }) {
  const peek = (is) => act(() => (state.isPeeking = is));
  const hide = peek(false);
  // A screen reader's tap and Enter have no detail: they turn the card, and turn it back.
  const turn = act(({ detail }) => (state.isPeeking = detail ? state.isPeeking : !state.isPeeking));
  const stay = (event) => event.preventDefault();
  return html`<button id=${id} class="closed" type="button" aria-label=${words.role} title=${words.hold} oncontextmenu=${stay}
    onpointerdown=${peek(true)} onpointerup=${hide} onpointercancel=${hide} onpointerleave=${hide} onblur=${hide}
    onclick=${turn}>${children}</button>`;
}

export const RoleFace = () => html`
  <${Picture} name=${state.own.role.picture} card class="large" />
  <h2 class=${state.own.role.is}>${state.own.role.name}</h2><p>${state.own.role.text}</p>
`;

export const command = (may) => send({ do: may.do });

// The evening so far, who watches, and the settings.
export function AboutTable() {
  const { settings = {}, evening = [], watching = [] } = state.parts.table;
  const watchers = watching.length ? [words.watching.replace("{names}", watching.join(", "))] : [];
  const lines = [...evening, ...watchers, Object.values(settings).join(" \u00b7 ")];
  return lines.map((text) => html`<p class="soft">${text}</p>`);
}
