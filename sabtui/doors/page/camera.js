// Which part of the mine is seen, and how large: all of it if that can be read, else the part where
// a card would lie, or where the last one was laid.
import { byId } from "./elements.js";
import { cellOf, mine, places, state } from "./state.js";

const [TILE_WIDTH, TILE_HEIGHT] = [92, 82];
const [SMALLEST, LARGEST] = [0.6, 1.35];
const DRAGGED_PX = 6;

let camera;
let zoom = 1;

// Let the camera find its place again.
export function recentre() {
  camera = undefined;
}

function box() {
  const { cards, goals } = mine();
  const cells = [...cards, ...goals].map(({ x, y }) => [x, y]);
  for (const key of places().keys()) {
    if (!key.startsWith("s")) {
      cells.push(cellOf(key));
    }
  }
  const [xs, ys] = [0, 1].map((axis) => cells.map((cell) => cell[axis]));
  return { left: Math.min(...xs), right: Math.max(...xs), low: Math.min(...ys), high: Math.max(...ys) };
}

function within(value, least, most) {
  return least > most ? (least + most) / 2 : Math.min(Math.max(value, least), most);
}

function find(newest) {
  const { width, height } = byId("mine").getBoundingClientRect();
  const { left, right, low, high } = box();
  const fit = Math.min(
    width / (right - left + 1.2) / TILE_WIDTH,
    height / (high - low + 1.2) / TILE_HEIGHT,
  );
  if (fit >= SMALLEST) {
    return { x: (left + right) / 2, y: (low + high) / 2, size: Math.min(fit, LARGEST) };
  }
  const size = Math.max(SMALLEST, Math.min(1, height / TILE_HEIGHT / 3.2));
  const isCell = state.place && !state.place.startsWith("s");
  const [x, y] = isCell ? cellOf(state.place) : newest;
  const [wide, tall] = [width / TILE_WIDTH / size / 2 - 0.6, height / TILE_HEIGHT / size / 2 - 0.6];
  return {
    x: within(x + wide * 0.3, left + wide, right - wide),
    y: within(y, low + tall, high - tall),
    size,
  };
}

// Return what the field's style needs, and the small map: undefined where all of the mine is seen.
export function look(newest) {
  camera ??= find(newest);
  const size = camera.size * zoom;
  const { width, height } = byId("mine").getBoundingClientRect();
  const [wide, tall] = [width / TILE_WIDTH / size, height / TILE_HEIGHT / size];
  const all = box();
  const isWhole = wide >= all.right - all.left + 1 && tall >= all.high - all.low + 1;
  return {
    style: {
      "--cx": camera.x,
      "--cy": camera.y,
      "--tw": `${TILE_WIDTH * size}px`,
      "--th": `${TILE_HEIGHT * size}px`,
    },
    map: isWhole ? undefined : { ...all, x: camera.x, y: camera.y, wide, tall },
  };
}

// Fingers drag the mine, and zoom it.
export function listenToFingers(redraw) {
  const ground = byId("mine");
  const fingers = new Map();
  let spread = 0;
  let isDragged = false;

  function drag(event, [x, y]) {
    const [across, down] = [event.clientX - x, event.clientY - y];
    if (!isDragged && Math.hypot(across, down) <= DRAGGED_PX) {
      return false;
    }
    isDragged = true;
    const size = camera.size * zoom;
    camera.x -= across / (TILE_WIDTH * size);
    camera.y -= down / (TILE_HEIGHT * size);
    return true;
  }

  function pinch() {
    const [[a, b], [c, d]] = [...fingers.values()];
    const now = Math.hypot(a - c, b - d);
    if (spread) {
      zoom = Math.min(3, Math.max(0.4, (zoom * now) / spread));
    }
    spread = now;
    isDragged = true;
  }

  ground.addEventListener("pointerdown", (event) => {
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    isDragged = fingers.size > 1;
  });
  ground.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before || !camera) {
      return;
    }
    const place = [event.clientX, event.clientY];
    if (fingers.size === 2) {
      fingers.set(event.pointerId, place);
      pinch();
    } else if (drag(event, before)) {
      fingers.set(event.pointerId, place);
    }
    redraw();
  });
  for (const kind of ["pointerup", "pointercancel", "pointerleave"]) {
    ground.addEventListener(kind, (event) => {
      fingers.delete(event.pointerId);
      spread = 0;
    });
  }
  ground.addEventListener("click", (event) => isDragged && event.stopPropagation(), true);
}
