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
  _entry;
  _hearers;
  _socket;
  _channel;
  _isIn = false;
  _isOver = false;
  _wasIn = false;
  _retry = FIRST_RETRY_MS;
  _timer;
  _silence;
  _hiddenAt = Infinity;
  _begun = "";

  // `entry` has name and code, or name, seat and secret. `hearers` are called with what happens:
  // linked, welcome, heard (a line), ended, elsewhere, refused, lost.
  constructor(entry, hearers) {
    this._entry = entry;
    this._hearers = hearers;
    document.addEventListener("visibilitychange", this._look);
    window.addEventListener("online", this._hurry);
    this._open();
  }

  // Send a value as a line of JSON, in ASCII.
  send(value) {
    const escape = (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
    const line = `${JSON.stringify(value).replace(/[^ -~]/g, escape)}\n`;
    const data = new Uint8Array(1 + LINE_BYTES * Math.ceil(line.length / LINE_BYTES));
    data.set(encoder.encode(`l${line}`));
    if (this._isIn && this._socket.readyState === WebSocket.OPEN) {
      this._socket.send(this._channel.seal(data));
    }
  }

  close() {
    this._isOver = true;
    clearTimeout(this._timer);
    clearTimeout(this._silence);
    document.removeEventListener("visibilitychange", this._look);
    window.removeEventListener("online", this._hurry);
    this._socket.close();
  }

  _look = () => {
    if (document.hidden) {
      this._hiddenAt = Date.now();
    } else if (Date.now() - this._hiddenAt > ASLEEP_MS) {
      this._hurry();
    }
  };

  _hurry = () => {
    if (!this._isOver && this._socket.readyState !== WebSocket.CONNECTING) {
      this._retry = FIRST_RETRY_MS;
      this._open();
    }
  };

  // The host's computer may be gone without a word, of which no browser tells.
  _expect(within) {
    clearTimeout(this._silence);
    this._silence = setTimeout(() => {
      this._hearers.lost(this._wasIn);
      this._open();
    }, within);
  }

  _open() {
    clearTimeout(this._timer);
    this._expect(ENTERING_MS);
    const before = this._socket;
    const { seat = "" } = this._entry;
    const run = begin(wordsOf(this._entry), seat);
    const socket = new WebSocket(`ws://${location.host}/table`);
    this._socket = socket;
    this._be(false);
    this._channel = undefined;
    before?.close();
    socket.binaryType = "arraybuffer";
    socket.onopen = () =>
      socket.send(JSON.stringify({ version: VERSION, seat, share: toHex(run.share) }));
    socket.onmessage = ({ data }) => {
      if (socket === this._socket) {
        this._receive(data, run);
      }
    };
    socket.onclose = ({ code }) => {
      if (socket === this._socket) {
        this._closed(code);
      }
    };
  }

  _receive(data, run) {
    if (typeof data === "string") {
      this._answered(JSON.parse(data), run);
      return;
    }
    const plain = this._channel.open(new Uint8Array(data));
    if (!this._isIn) {
      this._be(true);
      this._wasIn = true;
      this._retry = FIRST_RETRY_MS;
      const { seat, secret } = JSON.parse(decoder.decode(plain));
      this._entry = { ...this._entry, seat, secret };
      this._begun = "";
      this._hearers.welcome({ seat, secret, name: this._entry.name });
    } else if (plain[0] === "l".charCodeAt(0)) {
      this._expect(SILENT_MS);
      this._hear(decoder.decode(plain.subarray(1)).replaceAll("\0", ""));
    } else {
      this.close();
      this._hearers.ended();
    }
  }

  // Lines come cut anywhere. A page that has come again may hear the end of one: it is no value.
  _hear(text) {
    const lines = (this._begun + text).split("\n");
    this._begun = lines.pop();
    for (const line of lines) {
      let value;
      try {
        value = JSON.parse(line);
      } catch {
        continue;
      }
      this._hearers.heard(value);
    }
  }

  _answered({ share, refused, wait }, run) {
    if (refused) {
      this.close();
      this._hearers.refused(refused, wait);
      return;
    }
    this._channel = run.finish(fromHex(share));
    const { name, language, stage } = this._entry;
    const arrival = { name, language, stage };
    this._socket.send(this._channel.seal(encoder.encode(JSON.stringify(arrival))));
  }

  _be(isIn) {
    this._isIn = isIn;
    this._hearers.linked(isIn);
  }

  _closed(code) {
    this._be(false);
    if (this._isOver) {
      return;
    }
    if (code === ELSEWHERE) {
      this.close();
      this._hearers.elsewhere();
      return;
    }
    clearTimeout(this._silence);
    this._hearers.lost(this._wasIn);
    this._timer = setTimeout(() => this._open(), this._retry);
    this._retry = Math.min(this._retry * 2, LAST_RETRY_MS);
  }
}
