// A projector's page: the address for everybody in the room, with a code to scan, and the table that
// a club's stage shows by itself.
import { isGame, isStage, isTable, send, state } from "./state.js";
import { html } from "./vendor/preact.js";
import words from "./words.js";

// Until a stage in a hall goes to a table by itself.
const CHOOSING_MS = 15000;

let encode; // makes QR codes; a page that nobody scans does not load it
let choosing;
let code = "";

// The room code with which the stage came in: once it is renewed, the stage has to enter the new one.
export const showCode = (entered) => (code = entered);

export async function loadScanning(then) {
  if (isStage) {
    ({ encode } = await import("./vendor/qr.js"));
    then();
  }
}

const origin = () => words.origin || location.origin;

export function Join() {
  const isLarge = !isGame() || Boolean(state.parts.end && !state.held);
  return html`<div id="join" class=${isLarge ? "large" : ""}>
    ${encode && html`<div class="scan"><${Scan} text=${`${origin()}/${code && `#${code}`}`} /></div>`}
    <div><p>${origin()}</p>${code && html`<p>${code}</p>`}</div>
  </div>`;
}

function Scan({ text }) {
  const { data, size } = encode(text, { border: 2 });
  const dots = data.map((row, y) => row.map((is, x) => (is ? `M${x} ${y}h1v1h-1z` : "")).join("")).join("");
  return html`<svg viewBox=${`0 0 ${size} ${size}`} role="img" aria-label=${origin()}>
    <rect width=${size} height=${size} fill="#fff" /><path d=${dots} fill="#000" /></svg>`;
}

// In a hall a stage goes to the first table, unless somebody has chosen one before.
export function chooseTable() {
  const { tables = [] } = state.hall || {};
  if (!isStage || isTable() || !tables.length) {
    clearTimeout(choosing);
    choosing = 0;
  } else {
    choosing = choosing || setTimeout(() => send({ do: "watch", text: 1 }), CHOOSING_MS);
  }
}
