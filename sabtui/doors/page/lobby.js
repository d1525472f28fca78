// Before a game: the lobby of a table, and the hall of a club.
import { act } from "./draw.js";
import { AboutTable, Key, Reactions, command } from "./parts.js";
import { Picture } from "./pictures.js";
import { showLesson, showMenu, showSettings, showTalk } from "./sheets.js";
import { isHost, isStage, nextCommands, seats, send, state } from "./state.js";
import { News, People, Top } from "./table.js";
import { html } from "./vendor/preact.js";
import words from "./words.js";

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
      ${!isStage && [!isHost() && lesson(), talk(), html`<${Key} key="menu" text="\u2630" does=${showMenu} name="menu" label=${words.menu} />`]}
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
