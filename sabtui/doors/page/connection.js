// The connection to the door: it enters, carries sealed frames, and comes back by itself.
import { VERSION, begin, fromHex, toHex } from "./exchange.js";

const ELSEWHERE = 4001;
const FIRST_RETRY_MS = 300;
const LAST_RETRY_MS = 5000;
// A page hidden for longer has lost its connection, whatever the browser still believes.
const ASLEEP_MS = 8000;
// What is typed has this length, or some times this, whatever the key: its length can be seen.
const TYPED_BYTES = 16;
// A pasted text is sent in pieces: the door takes no message of more than 8 KiB.
const MOST_TYPED_BYTES = 4096;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

// What a page enters with: the seat that it had before, else the room code.
const wordsOf = ({ seat, secret, code }) => (seat ? fromHex(secret) : encoder.encode(code));

export class Connection {
  #entry;
  #hearers;
  #socket;
  #channel;
  #isIn = false;
  #isOver = false;
  #wasIn = false;
  #retry = FIRST_RETRY_MS;
  #timer;
  #hiddenAt = Infinity;

  // `entry` has name and code, or name, seat and secret; `size` returns columns and rows. `hearers`
  // are called with what happens: linked, welcome, shown, ended, elsewhere, refused, lost.
  constructor(entry, hearers) {
    this.#entry = entry;
    this.#hearers = hearers;
    document.addEventListener("visibilitychange", this.#look);
    window.addEventListener("online", this.#hurry);
    this.#open();
  }

  type(text) {
    const whole = encoder.encode(text);
    for (let at = 0; at < whole.length; at += MOST_TYPED_BYTES) {
      const typed = whole.subarray(at, at + MOST_TYPED_BYTES);
      const filledUp = new Uint8Array(Math.ceil(typed.length / TYPED_BYTES) * TYPED_BYTES);
      filledUp.set(typed);
      this.#send("t", filledUp);
    }
  }

  resize(columns, rows) {
    const size = new Uint8Array(4);
    new DataView(size.buffer).setUint16(0, columns);
    new DataView(size.buffer).setUint16(2, rows);
    this.#send("s", size);
  }

  close() {
    this.#isOver = true;
    clearTimeout(this.#timer);
    document.removeEventListener("visibilitychange", this.#look);
    window.removeEventListener("online", this.#hurry);
    this.#socket.close();
  }

  #look = () => {
    if (document.hidden) {
      this.#hiddenAt = Date.now();
    } else if (Date.now() - this.#hiddenAt > ASLEEP_MS) {
      this.#hurry();
    }
  };

  #hurry = () => {
    if (!this.#isOver && this.#socket.readyState !== WebSocket.CONNECTING) {
      this.#retry = FIRST_RETRY_MS;
      this.#open();
    }
  };

  #open() {
    clearTimeout(this.#timer);
    const before = this.#socket;
    const { seat = "" } = this.#entry;
    const run = begin(wordsOf(this.#entry), seat);
    const socket = new WebSocket(`ws://${location.host}/table`);
    this.#socket = socket;
    this.#be(false);
    this.#channel = undefined;
    before?.close();
    socket.binaryType = "arraybuffer";
    socket.onopen = () =>
      socket.send(JSON.stringify({ version: VERSION, seat, share: toHex(run.share) }));
    socket.onmessage = ({ data }) => {
      if (socket === this.#socket) {
        this.#receive(data, run);
      }
    };
    socket.onclose = ({ code }) => {
      if (socket === this.#socket) {
        this.#closed(code);
      }
    };
  }

  #receive(data, run) {
    if (typeof data === "string") {
      this.#answered(JSON.parse(data), run);
      return;
    }
    const plain = this.#channel.open(new Uint8Array(data));
    if (!this.#isIn) {
      this.#be(true);
      this.#wasIn = true;
      this.#retry = FIRST_RETRY_MS;
      const { seat, secret } = JSON.parse(decoder.decode(plain));
      this.#entry = { ...this.#entry, seat, secret };
      this.#hearers.welcome({ seat, secret, name: this.#entry.name });
      const { columns, rows } = this.#hearers.size();
      this.resize(columns, rows); // the window may have changed since the door was told
    } else if (plain[0] === "d".charCodeAt(0)) {
      this.#hearers.shown(plain.subarray(1));
    } else {
      this.close();
      this.#hearers.ended();
    }
  }

  #answered({ share, refused, wait }, run) {
    if (refused) {
      this.close();
      this.#hearers.refused(refused, wait);
      return;
    }
    this.#channel = run.finish(fromHex(share));
    const { columns, rows } = this.#hearers.size();
    const { name, language, stage, code } = this.#entry;
    const arrival = { name, language, columns, rows, stage, code: stage ? code : "" };
    this.#socket.send(this.#channel.seal(encoder.encode(JSON.stringify(arrival))));
  }

  #be(isIn) {
    this.#isIn = isIn;
    this.#hearers.linked(isIn);
  }

  #closed(code) {
    this.#be(false);
    if (this.#isOver) {
      return;
    }
    if (code === ELSEWHERE) {
      this.close();
      this.#hearers.elsewhere();
      return;
    }
    this.#hearers.lost(this.#wasIn);
    this.#timer = setTimeout(() => this.#open(), this.#retry);
    this.#retry = Math.min(this.#retry * 2, LAST_RETRY_MS);
  }

  #send(kind, data) {
    if (this.#isIn && this.#socket.readyState === WebSocket.OPEN) {
      const plain = new Uint8Array(data.length + 1);
      plain[0] = kind.charCodeAt(0);
      plain.set(data, 1);
      this.#socket.send(this.#channel.seal(plain));
    }
  }
}
