// The connection to the door: it enters, carries sealed frames, and comes back by itself.
import { VERSION, begin, fromHex, toHex } from "./exchange.js";

const ELSEWHERE = 4001;
const RETRY_MS = 1000;
// A door that has let a page in says something every few seconds, whatever happens; until then it
// may take its time.
const SILENT_MS = 9000;
const ENTERING_MS = 30000;
// A line has this length, or some times this, whatever it does: its length can be seen.
const LINE_BYTES = 256;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

// Connect with an `entry`: name, language, whether it is a stage, and code, or seat and secret. The
// `hearers` are called with what happens: linked, welcome, heard (a line), ended, elsewhere, refused,
// lost. Returns how to send a value, and how to close.
export function connect(entry, hearers) {
  let socket;
  let channel;
  let isIn = false;
  let isOver = false;
  let timer;
  let silence;
  let expectedAt; // since when a word of the door is waited for
  let begun = ""; // of a line whose end is still to come

  function be(is) {
    isIn = is;
    hearers.linked(is);
  }

  // Send a value as a line of JSON, in ASCII.
  function send(value) {
    const escape = (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
    const line = `${JSON.stringify(value).replace(/[^ -~]/g, escape)}\n`;
    const data = new Uint8Array(1 + LINE_BYTES * Math.ceil(line.length / LINE_BYTES));
    data.set(encoder.encode(`l${line}`));
    if (isIn && socket.readyState === WebSocket.OPEN) {
      socket.send(channel.seal(data));
    }
  }

  function close() {
    isOver = true;
    clearTimeout(timer);
    clearTimeout(silence);
    document.removeEventListener("visibilitychange", hurry);
    window.removeEventListener("online", hurry);
    socket.close();
  }

  // A page that wakes up may have lost its connection, whatever the browser still believes.
  function hurry() {
    if (!document.hidden && Date.now() - expectedAt > SILENT_MS) {
      open();
    }
  }

  // The host's computer may be gone without a word, of which no browser tells.
  function expect(within) {
    expectedAt = Date.now();
    clearTimeout(silence);
    silence = setTimeout(() => {
      hearers.lost();
      open();
    }, within);
  }

  function open() {
    clearTimeout(timer);
    expect(ENTERING_MS);
    const before = socket;
    const { seat = "", secret, code } = entry;
    const run = begin(seat ? fromHex(secret) : encoder.encode(code), seat);
    const opened = new WebSocket(`ws://${location.host}/table`);
    socket = opened;
    be(false);
    before?.close();
    socket.binaryType = "arraybuffer";
    socket.onopen = () =>
      opened.send(JSON.stringify({ version: VERSION, seat, share: toHex(run.share) }));
    socket.onmessage = ({ data }) => opened === socket && receive(data, run);
    socket.onclose = (event) => opened === socket && closed(event.code);
  }

  function receive(data, run) {
    if (typeof data === "string") {
      answered(JSON.parse(data), run);
      return;
    }
    const plain = channel.open(new Uint8Array(data));
    if (!isIn) {
      be(true);
      begun = "";
      const { seat, secret } = JSON.parse(decoder.decode(plain));
      entry = { ...entry, seat, secret };
      hearers.welcome({ seat, secret, name: entry.name });
    } else if (plain[0] === "l".charCodeAt(0)) {
      expect(SILENT_MS);
      hear(decoder.decode(plain.subarray(1)).replaceAll("\0", ""));
    } else {
      close();
      hearers.ended();
    }
  }

  // Lines come cut anywhere. A page that has come again may hear the end of one: it is no value.
  function hear(text) {
    const lines = (begun + text).split("\n");
    begun = lines.pop();
    for (const line of lines) {
      let value;
      try {
        value = JSON.parse(line);
      } catch {
        continue;
      }
      hearers.heard(value);
    }
  }

  function answered({ share, refused, wait }, run) {
    if (refused) {
      close();
      hearers.refused(refused, wait);
      return;
    }
    channel = run.finish(fromHex(share));
    const { name, language, stage } = entry;
    socket.send(channel.seal(encoder.encode(JSON.stringify({ name, language, stage }))));
  }

  function closed(code) {
    be(false);
    if (isOver) {
      return;
    }
    if (code === ELSEWHERE) {
      close();
      hearers.elsewhere();
      return;
    }
    clearTimeout(silence);
    hearers.lost();
    timer = setTimeout(open, RETRY_MS);
  }

  document.addEventListener("visibilitychange", hurry);
  window.addEventListener("online", hurry);
  open();
  return { send, close };
}
