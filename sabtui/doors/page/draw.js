// Draws the page again from `state`, at most once a frame.

let drawAll = () => {};
let due = 0;

export const drawWith = (all) => (drawAll = all);

export function draw() {
  due = due || requestAnimationFrame(() => {
    due = 0;
    drawAll();
  });
}

// What a tap or a key does, and the page drawn again.
export const act = (what) => (event) => {
  what(event);
  draw();
};
