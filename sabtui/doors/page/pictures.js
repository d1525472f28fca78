// The cards' pictures: a canvas over the terminal, for cells whose letter is one for private use. The
// letter says which cell of a picture it is, its colour is the picture's number (`sabtui.art.kitty`).

const FIRST_SIGN = 0xf0000;
const SIGNS_A_ROW = 30;
const CLEAR = 255;
// What is seen of a picture through which its cell's ground shines.
const GLASS = 150 / 255;
const NOT_LOADED = "#403730";
const RETRY_MS = 3000;

// A number as what it stands for: seven bits of each of its three bytes.
export function readNumber(number) {
  const bits = ((number >> 2) & 0x1fc000) | ((number >> 1) & 0x3f80) | (number & 0x7f);
  return {
    name: bits >> 13,
    across: Boolean(bits & 0x1000),
    down: Boolean(bits & 0x800),
    isDark: Boolean(bits & 0x400),
    isGlass: Boolean(bits & 0x200),
    columns: (bits >> 4) & 0x1f,
    rows: bits & 0xf,
  };
}

async function get(address) {
  const response = await fetch(address);
  if (!response.ok) {
    throw new Error(`${address}: ${response.status}`);
  }
  return response;
}

// The size to draw a picture from: in nearly its proportions, large enough, but no larger.
function findSize(sizes, width, height) {
  const stretch = (size) => Math.round(10 * Math.abs(Math.log((size.width * height) / (size.height * width))));
  const least = Math.min(...sizes.map(stretch));
  const alike = sizes.filter((size) => stretch(size) === least);
  return alike.find((size) => size.width >= width && size.height >= height) ?? alike.at(-1);
}

export class Pictures {
  #terminal;
  #screen;
  #canvas = document.createElement("canvas");
  #index;
  #sizes = [];
  #drawn = new Map();
  #cell = {};

  constructor(terminal, frame) {
    this.#terminal = terminal;
    this.#screen = frame.querySelector(".xterm-screen");
    this.#canvas.className = "pictures";
    this.#screen.append(this.#canvas);
    terminal.onRender(({ start, end }) => this.#draw(start, end));
    this.#load();
  }

  // All pictures of all sizes, whatever is shown: what is asked for can be seen on the way.
  async #load() {
    try {
      this.#index ??= await (await get("/pictures.json")).json();
      for (const name of Object.keys(this.#index.sizes).slice(this.#sizes.length)) {
        const [width, height] = name.split("x").map(Number);
        const data = new Uint8Array(await (await get(`/pictures/${name}`)).arrayBuffer());
        this.#sizes.push({ width, height, data, names: this.#index.sizes[name] });
        this.#drawn.clear();
        this.#draw(0, this.#terminal.rows - 1);
      }
    } catch {
      setTimeout(() => this.#load(), RETRY_MS);
    }
  }

  #draw(start, end) {
    if (this.#fit()) {
      [start, end] = [0, this.#terminal.rows - 1];
    }
    const context = this.#canvas.getContext("2d");
    const buffer = this.#terminal.buffer.active;
    const cell = buffer.getNullCell();
    for (let row = start; row <= end; row += 1) {
      const [top, bottom] = [this.#y(row), this.#y(row + 1)];
      context.clearRect(0, top, this.#canvas.width, bottom - top);
      const line = buffer.getLine(buffer.viewportY + row);
      for (let column = 0; line && column < this.#terminal.cols; column += 1) {
        const sign = line.getCell(column, cell).getCode() - FIRST_SIGN;
        if (sign >= 0 && cell.isFgRGB()) {
          const [left, right] = [this.#x(column), this.#x(column + 1)];
          context.fillStyle = this.#ground(cell);
          context.fillRect(left, top, right - left, bottom - top);
          this.#drawCell(context, cell.getFgColor(), sign, [left, top, right - left, bottom - top]);
        }
      }
    }
  }

  #drawCell(context, number, sign, place) {
    const picture = this.#find(number);
    if (!picture) {
      context.fillStyle = NOT_LOADED;
      context.fillRect(...place);
      return;
    }
    const { canvas, columns, rows, isGlass } = picture;
    const [width, height] = [canvas.width / columns, canvas.height / rows];
    const [left, top] = [sign % SIGNS_A_ROW, Math.floor(sign / SIGNS_A_ROW)];
    context.globalAlpha = isGlass ? GLASS : 1;
    context.drawImage(canvas, left * width, top * height, width, height, ...place);
    context.globalAlpha = 1;
  }

  // A picture in the pixels of the screen, drawn once; nothing while it is not loaded.
  #find(number) {
    if (!this.#drawn.has(number)) {
      this.#drawn.set(number, this.#paint(readNumber(number)));
    }
    return this.#drawn.get(number);
  }

  #paint(picture) {
    const name = this.#index?.names[picture.name];
    const sizes = this.#sizes.filter(({ names }) => names.includes(name));
    if (!sizes.length) {
      return undefined;
    }
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(picture.columns * this.#cell.width);
    canvas.height = Math.round(picture.rows * this.#cell.height);
    const size = findSize(sizes, canvas.width, canvas.height);
    const context = canvas.getContext("2d");
    context.imageSmoothingQuality = "high";
    context.translate(picture.across ? canvas.width : 0, picture.down ? canvas.height : 0);
    context.scale(picture.across ? -1 : 1, picture.down ? -1 : 1);
    const colours = picture.isDark ? this.#index.dark : this.#index.light;
    context.drawImage(spriteOf(size, name, colours), 0, 0, canvas.width, canvas.height);
    return { ...picture, canvas };
  }

  #ground(cell) {
    const number = cell.isBgRGB() ? cell.getBgColor() : undefined;
    return number === undefined
      ? this.#terminal.options.theme.background
      : `#${number.toString(16).padStart(6, "0")}`;
  }

  #x(column) {
    return Math.round(column * this.#cell.width);
  }

  #y(row) {
    return Math.round(row * this.#cell.height);
  }

  // Make the canvas as large as the terminal, in the pixels of the screen; true if it was not.
  #fit() {
    const { width, height } = this.#screen.getBoundingClientRect();
    const [wide, high] = [width, height].map((length) => Math.round(length * devicePixelRatio));
    const cell = { width: wide / this.#terminal.cols, height: high / this.#terminal.rows };
    const isFitted = this.#canvas.width === wide && this.#canvas.height === high;
    if (isFitted && cell.width === this.#cell.width && cell.height === this.#cell.height) {
      return false;
    }
    [this.#canvas.width, this.#canvas.height] = [wide, high];
    this.#cell = cell;
    this.#drawn.clear();
    return true;
  }
}

function spriteOf({ width, height, data, names }, name, colours) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width, height];
  const context = canvas.getContext("2d");
  const image = context.createImageData(width, height);
  const first = names.indexOf(name) * width * height;
  for (let at = 0; at < width * height; at += 1) {
    const number = data[first + at];
    if (number !== CLEAR) {
      image.data.set([...colours[number], 255], 4 * at);
    }
  }
  context.putImageData(image, 0, 0);
  return canvas;
}
