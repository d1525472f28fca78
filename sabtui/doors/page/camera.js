// Which part of the mine is seen: all of it, with each place where a card of one's hand could go, so
// that choosing moves nothing; until fingers or the magnifier bring it nearer.
import { cellOf, hand, isCell, isGame, mine, places, state, table } from "./state.js";

// A tile before it is scaled, as page.css has it.
const [TILE_WIDTH, TILE_HEIGHT] = [92, 82];
const [LARGEST, NEARER, NEAREST, DRAGGED_PX] = [1.35, 1.9, 4, 6];
// Tiles from the middle of a place to a finger that means it; a bit more keeps the chosen one.
const [REACH, KEPT_REACH] = [1, 0.75];

let near; // where fingers have put the camera: x, y, zoom
let size = { width: 0, height: 0 };
let seen; // all cells that a round has needed so far: it only grows, so that little moves
let seenRound = "";

const area = () => document.getElementById("mine").getBoundingClientRect();
export const isNear = () => Boolean(near);

// Return whether the mine has another size now than it was last drawn for.
export function measure() {
  const { width, height } = isGame() ? area() : size;
  const isNew = width !== size.width || height !== size.height;
  size = { width, height };
  return isNew;
}

function box() {
  const { cards, goals } = mine();
  const ways = hand().flatMap((kind) => kind.ways).filter((way) => way.length === 3);
  const cells = [...[...cards, ...goals].map(({ x, y }) => [x, y]), ...ways.map(([, x, y]) => [x, y])];
  const round = `${table().name} ${table().round}`;
  if (round === seenRound) {
    cells.push([seen.left, seen.low], [seen.right, seen.high]);
  }
  const [xs, ys] = [0, 1].map((axis) => cells.map((cell) => cell[axis]));
  seenRound = round;
  seen = { left: Math.min(...xs), right: Math.max(...xs), low: Math.min(...ys), high: Math.max(...ys) };
  return seen;
}

// What is seen: the middle, the scale, and how many tiles fit.
export function look() {
  const { width, height } = size;
  const all = box();
  const fit = (room, from, to, tile) => room / (to - from + 1.2) / tile;
  const across = fit(width, all.left, all.right, TILE_WIDTH);
  const whole = Math.min(across, fit(height, all.low, all.high, TILE_HEIGHT), LARGEST);
  const { x, y, zoom } = near || { x: (all.left + all.right) / 2, y: (all.low + all.high) / 2, zoom: 1 };
  const scale = whole * zoom;
  return { x, y, scale, wide: width / scale / TILE_WIDTH, tall: height / scale / TILE_HEIGHT };
}

// Nearer to what is chosen, else to the newest card; or all again.
export function magnify([x, y] = [0, 0]) {
  [x, y] = isCell(state.place) ? cellOf(state.place) : [x, y];
  near = near ? undefined : { x, y, zoom: NEARER };
}

export const seeAll = () => (near = undefined);

// Where a round ends: the goal that was reached, and those beside it.
export function seeGoals([x, y]) {
  near = { x: x - 0.5, y: y / 2, zoom: NEARER };
}

function isOut([a, b]) {
  const { x, y, wide, tall } = look();
  return Math.abs(a - x) > (wide - 1) / 2 || Math.abs(b - y) > (tall - 1) / 2;
}

// See all again if one of the chosen card's places is out of sight.
export const seePlaces = () =>
  (near = near && [...places().keys()].filter(isCell).map(cellOf).some(isOut) ? undefined : near);

// The place that a finger means: the nearest within a tile.
export function placeAt({ clientX, clientY }) {
  const { left, top, width, height } = area();
  const { x, y, scale } = look();
  const across = (clientX - left - width / 2) / scale / TILE_WIDTH + x;
  const down = (clientY - top - height / 2) / scale / TILE_HEIGHT + y;
  const far = (key) => Math.hypot(cellOf(key)[0] - across, cellOf(key)[1] - down);
  if (isCell(state.place) && far(state.place) <= KEPT_REACH) {
    return state.place;
  }
  const [nearest] = [...places().keys()].filter(isCell).sort((one, other) => far(one) - far(other));
  return nearest && far(nearest) <= REACH ? nearest : undefined;
}

// Fingers drag the mine, and zoom it.
export function listenToFingers(ground, redraw) {
  const fingers = new Map();
  let from; // the fingers' grip when the mine was moved last
  let isDragged = false;

  function grip() {
    const points = [...fingers.values()];
    const [[a, b], [c, d]] = [points[0], points[points.length - 1]];
    return { x: (a + c) / 2, y: (b + d) / 2, spread: Math.hypot(a - c, b - d) };
  }

  function move() {
    const to = grip();
    const [across, down] = [to.x - from.x, to.y - from.y];
    if (isDragged || Math.hypot(across, down) > DRAGGED_PX) {
      const { x, y, scale } = look();
      const spread = (near ? near.zoom : 1) * (from.spread ? to.spread / from.spread : 1);
      const zoom = Math.min(NEAREST, Math.max(1, spread));
      near = { x: x - across / scale / TILE_WIDTH, y: y - down / scale / TILE_HEIGHT, zoom };
      [from, isDragged] = [to, true];
    }
  }

  ground.addEventListener("pointerdown", (event) => {
    if (event.target.closest("#mine")) {
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
      [from, isDragged] = [grip(), fingers.size > 1];
    }
  });
  ground.addEventListener("pointermove", (event) => {
    if (fingers.has(event.pointerId) && mine()) {
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
      move();
      ground.classList.toggle("dragged", isDragged);
      redraw();
    }
  });
  for (const kind of ["pointerup", "pointercancel", "pointerleave"]) {
    ground.addEventListener(kind, (event) => {
      fingers.delete(event.pointerId);
      from = fingers.size ? grip() : undefined;
      ground.classList.remove("dragged");
      if (near && near.zoom === 1 && !fingers.size && isDragged) {
        near = undefined; // all of it is seen: there is nowhere to drag it to
        redraw();
      }
    });
  }
  const noTap = (event) => isDragged && event.target.closest("#mine") && event.stopPropagation();
  ground.addEventListener("click", noTap, true);
}
