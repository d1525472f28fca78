// The connection to the door: it enters, carries sealed frames, and comes back by itself.
import { VERSION, begin, fromHex, toHex } from "./exchange.js";

const ELSEWHERE = 4001;
const FIRST_RETRY_MS = 300;
const LAST_RETRY_MS = 5000;
// A door that has let a page in says something every few seconds, whatever happens; until then it
// may take its time.
const SILENT_MS = 9000;
const ENTERING_MS = 30000;
// A page hidden for longer has lost its connection, whatever the browser still believes.
const ASLEEP_MS = 8000;
// A line has this length, or some times this, whatever it does: its length can be seen.
const LINE_BYTES = 256;

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
  #silence;
  #hiddenAt = Infinity;
  #begun = "";

  // `entry` has name and code, or name, seat and secret. `hearers` are called with what happens:
  // linked, welcome, heard (a line), ended, elsewhere, refused, lost.
  constructor(entry, hearers) {
    this.#entry = entry;
    this.#hearers = hearers;
    document.addEventListener("visibilitychange", this.#look);
    window.addEventListener("online", this.#hurry);
    this.#open();
  }

  // Send a value as a line of JSON, in ASCII.
  send(value) {
    const escape = (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
    const line = `${JSON.stringify(value).replace(/[^ -~]/g, escape)}\n`;
    const data = new Uint8Array(1 + LINE_BYTES * Math.ceil(line.length / LINE_BYTES));
    data.set(encoder.encode(`l${line}`));
    if (this.#isIn && this.#socket.readyState === WebSocket.OPEN) {
      this.#socket.send(this.#channel.seal(data));
    }
  }

  close() {
    this.#isOver = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#silence);
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

  // The host's computer may be gone without a word, of which no browser tells.
  #expect(within) {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => {
      this.#hearers.lost(this.#wasIn);
      this.#open();
    }, within);
  }

  #open() {
    clearTimeout(this.#timer);
    this.#expect(ENTERING_MS);
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
      this.#begun = "";
      this.#hearers.welcome({ seat, secret, name: this.#entry.name });
    } else if (plain[0] === "l".charCodeAt(0)) {
      this.#expect(SILENT_MS);
      this.#hear(decoder.decode(plain.subarray(1)).replaceAll("\0", ""));
    } else {
      this.close();
      this.#hearers.ended();
    }
  }

  // Lines come cut anywhere. A page that has come again may hear the end of one: it is no value.
  #hear(text) {
    const lines = (this.#begun + text).split("\n");
    this.#begun = lines.pop();
    for (const line of lines) {
      let value;
      try {
        value = JSON.parse(line);
      } catch {
        continue;
      }
      this.#hearers.heard(value);
    }
  }

  #answered({ share, refused, wait }, run) {
    if (refused) {
      this.close();
      this.#hearers.refused(refused, wait);
      return;
    }
    this.#channel = run.finish(fromHex(share));
    const { name, language, stage } = this.#entry;
    const arrival = { name, language, stage };
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
    clearTimeout(this.#silence);
    this.#hearers.lost(this.#wasIn);
    this.#timer = setTimeout(() => this.#open(), this.#retry);
    this.#retry = Math.min(this.#retry * 2, LAST_RETRY_MS);
  }
}
