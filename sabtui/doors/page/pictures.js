// The project's own pictures, as images: loaded once, all of them, whatever is shown, as what is
// asked for can be seen on the way.
import { html } from "./vendor/preact.js";

// The sizes that are shown: tiles of the mine, cards, icons.
const SIZES = ["144x128", "144x192", "64x64"];

const addresses = new Map();

async function get(address) {
  const response = await fetch(address);
  if (!response.ok) {
    throw new Error(`${address}: ${response.status}`);
  }
  return response;
}

export async function loadPictures() {
  const sizes = await (await get("/pictures.json")).json();
  for (const size of SIZES) {
    const data = await (await get(`/pictures/${size}`)).arrayBuffer();
    let at = 0;
    for (const [name, length] of sizes[size]) {
      const picture = new Blob([data.slice(at, at + length)], { type: "image/png" });
      addresses.set(size === "144x192" ? `card ${name}` : name, URL.createObjectURL(picture));
      at += length;
    }
  }
}

// A picture of ours; behind a "~" its name says how it is mirrored.
export function Picture({ name: told, card, ...rest }) {
  const [name, mirrored = "0"] = told.split("~");
  const address = (card && addresses.get(`card ${name}`)) || addresses.get(name);
  return html`<img alt="" draggable=${false} ...${rest} src=${address} data-mirrored=${mirrored} />`;
}
