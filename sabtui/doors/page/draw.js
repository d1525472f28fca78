// Draws the page again from `state`, at most once a frame; the parts that are drawn register here.

const parts = [];
let due = 0;

export const drawWith = (part) => parts.push(part);

export function draw() {
  due = due || requestAnimationFrame(() => {
    due = 0;
    parts.forEach((part) => part());
  });
}

// What a tap or a key does, and the page drawn again.
export const act = (what) => (event) => {
  what(event);
  draw();
};
