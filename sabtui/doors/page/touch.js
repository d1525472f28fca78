// Fingers on the terminal, as the mouse of a terminal (SGR, mode 1006): a tap is a click, a long
// press the right button, a swipe the wheel, and two fingers the wheel with Ctrl, which zooms.

const LONG_PRESS_MS = 500;
// A finger that moves less is a tap.
const TAP_PX = 10;
// Fingers drag the mine along: so many cells of the terminal are one step of the wheel.
const STEP_CELLS = { across: 4, down: 2 };
const PINCH_STEP = 1.25;

const [LEFT, RIGHT] = [0, 2];
const [SHIFT, CTRL] = [4, 16];
// Our screens, as most, read the wheel with Shift as one that turns sideways.
const WHEEL = { up: 64, down: 65, left: 64 + SHIFT, right: 65 + SHIFT };

export function listenToTouch(element, cells, send) {
  const press = (button, [column, row]) => {
    send(`\x1b[<${button};${column};${row}M`);
    if (button < WHEEL.up) {
      send(`\x1b[<${button};${column};${row}m`);
    }
  };
  let finger; // where the first finger came down, and how far it has been followed
  let pinch; // the distance of two fingers
  let timer;

  const drop = () => {
    clearTimeout(timer);
    finger = undefined;
  };

  element.addEventListener(
    "touchstart",
    (event) => {
      event.preventDefault();
      if (event.touches.length === 2) {
        drop();
        pinch = spread(event.touches);
        return;
      }
      const { clientX: x, clientY: y } = event.touches[0];
      finger = { x, y, isSwipe: false };
      timer = setTimeout(() => {
        press(RIGHT, cells.at(x, y));
        finger = undefined;
      }, LONG_PRESS_MS);
    },
    { passive: false },
  );

  element.addEventListener(
    "touchmove",
    (event) => {
      event.preventDefault();
      if (event.touches.length === 2 && pinch) {
        zoom(event.touches);
      } else if (finger) {
        follow(event.touches[0]);
      }
    },
    { passive: false },
  );

  element.addEventListener("touchend", (event) => {
    event.preventDefault();
    if (finger && !finger.isSwipe) {
      press(LEFT, cells.at(finger.x, finger.y));
    }
    pinch = undefined;
    drop();
  });
  element.addEventListener("touchcancel", drop);

  function zoom(touches) {
    const now = spread(touches);
    const middle = cells.at(
      (touches[0].clientX + touches[1].clientX) / 2,
      (touches[0].clientY + touches[1].clientY) / 2,
    );
    if (now > pinch * PINCH_STEP || now < pinch / PINCH_STEP) {
      press((now > pinch ? WHEEL.up : WHEEL.down) + CTRL, middle);
      pinch = now;
    }
  }

  function follow({ clientX, clientY }) {
    const [dx, dy] = [clientX - finger.x, clientY - finger.y];
    if (!finger.isSwipe && Math.hypot(dx, dy) < TAP_PX) {
      return;
    }
    clearTimeout(timer);
    finger.isSwipe = true;
    const { width, height } = cells.size();
    const across = Math.trunc(dx / (width * STEP_CELLS.across));
    const down = Math.trunc(dy / (height * STEP_CELLS.down));
    const at = cells.at(clientX, clientY);
    for (let step = 0; step < Math.abs(across); step += 1) {
      press(across > 0 ? WHEEL.left : WHEEL.right, at);
    }
    for (let step = 0; step < Math.abs(down); step += 1) {
      press(down > 0 ? WHEEL.up : WHEEL.down, at);
    }
    finger.x += across * width * STEP_CELLS.across;
    finger.y += down * height * STEP_CELLS.down;
  }
}

function spread([one, other]) {
  return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
}
