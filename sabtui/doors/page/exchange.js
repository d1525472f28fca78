// The keys of page and door: SPAKE2 over Ed25519 as in Python's spake2 package, and the sealed
// messages that follow. sabtui/doors/web_login.py is the other side, and explains why.
import {
  Point, bytesToHex as toHex, bytesToNumberBE, chacha20poly1305, concatBytes, hexToBytes as fromHex, hkdf, sha256,
} from "./vendor/noble.js";

export { fromHex, toHex };

export const VERSION = 2;

const ORDER = Point.Fn.ORDER;
// Nobody knows their logarithms: made by spake2 from the seeds M and N.
const M = Point.fromHex("15cfd18e385952982b6a8f8c7854963b58e34388c8e6dae891db756481a02312");
const N = Point.fromHex("f04f2e7eb734b2a8f8b472eaf9c3c632576ac64aea650b496a8a20ff00e583c3");
const CLIENT = "sabtui client";
const BINDING = "sabtui page 2";
const [SIDE_A, SIDE_B] = [0x41, 0x42];

const encoder = new TextEncoder();

const randomScalar = () => (bytesToNumberBE(crypto.getRandomValues(new Uint8Array(64))) % (ORDER - 1n)) + 1n;

// Begin an exchange: `words` are the bytes that both sides know, `seat` the id of a seat or "".
// Returns our share, and what makes a channel of theirs.
export function begin(words, seat) {
  const expanded = hkdf(sha256, words, undefined, encoder.encode("SPAKE2 pw"), 48);
  const scalar = bytesToNumberBE(expanded) % ORDER;
  const secret = randomScalar();
  const ours = Point.BASE.multiply(secret).add(M.multiply(scalar)).toBytes();

  function finish(share) {
    const theirs = Point.fromBytes(share.slice(1)); // 32 bytes, no others
    theirs.assertValidity();
    if (share[0] !== SIDE_B || !theirs.isTorsionFree()) {
      throw new Error("no share");
    }
    const common = theirs.subtract(N.multiply(scalar)).multiply(secret).toBytes();
    const binding = concatBytes(encoder.encode(BINDING), fromHex(seat));
    const parts = [words, encoder.encode(CLIENT), binding].map((part) => sha256(part));
    return makeChannel(sha256(concatBytes(...parts, ours, theirs.toBytes(), common)));
  }

  return { share: concatBytes(Uint8Array.of(SIDE_A), ours), finish };
}

function nonce(number) {
  const bytes = new Uint8Array(12);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(number), true);
  return bytes;
}

// The sealed messages of one connection; each side counts its own.
function makeChannel(secret) {
  const keyFor = (purpose) => hkdf(sha256, secret, undefined, encoder.encode(`sabtui ${purpose}`), 32);
  const [sealing, opening] = [keyFor("page to door"), keyFor("door to page")];
  let [sent, received] = [0, 0];
  return {
    seal: (plain) => chacha20poly1305(sealing, nonce((sent += 1))).encrypt(plain),
    open: (sealed) => chacha20poly1305(opening, nonce((received += 1))).decrypt(sealed),
  };
}
