// The project's own pictures, as images: loaded once, all of them, whatever is shown, as what is
// asked for can be seen on the way.
import { html } from "./vendor/preact.js";

// The sizes that are shown: tiles of the mine, cards, icons.
const SIZES = ["144x128", "144x192", "64x64"];
const CLEAR = 255;

const addresses = new Map();

async function get(address) {
  const response = await fetch(address);
  if (!response.ok) {
    throw new Error(`${address}: ${response.status}`);
  }
  return response;
}

export async function loadPictures() {
  const { sizes, colours } = await (await get("/pictures.json")).json();
  const points = new Uint32Array(CLEAR + 1);
  const bytes = new Uint8Array(points.buffer);
  colours.forEach((colour, number) => bytes.set([...colour, 255], 4 * number));
  for (const size of SIZES) {
    const data = new Uint8Array(await (await get(`/pictures/${size}`)).arrayBuffer());
    const [width, height] = size.split("x").map(Number);
    await Promise.all(
      sizes[size].map(async (name, at) => {
        const pixels = data.subarray(at * width * height, (at + 1) * width * height);
        const address = URL.createObjectURL(await paint(pixels, width, height, points));
        addresses.set(size === "144x192" ? `card ${name}` : name, address);
      }),
    );
  }
}

function paint(pixels, width, height, colours) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width, height];
  const context = canvas.getContext("2d");
  const image = context.createImageData(width, height);
  const points = new Uint32Array(image.data.buffer);
  for (let at = 0; at < points.length; at += 1) {
    points[at] = colours[pixels[at]]; // 0, which is clear, for `CLEAR`
  }
  context.putImageData(image, 0, 0);
  return new Promise((done) => canvas.toBlob(done));
}

// A picture of ours; behind a "~" its name says how it is mirrored.
export function Picture({ name: told, card, ...rest }) {
  const [name, mirrored = "0"] = told.split("~");
  const address = (card && addresses.get(`card ${name}`)) || addresses.get(name);
  return html`<img alt="" draggable=${false} ...${rest} src=${address} data-mirrored=${mirrored} />`;
}
