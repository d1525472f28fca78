// A room code as people type it, as net/secure/code.py parses it: any case, any separator or
// none, a slip in each word.

// Return the code as both sides know it, "" if the text is none.
export function parseCode(text, words) {
  const plain = text.normalize("NFKC").toLowerCase();
  let typed = plain.match(/[\p{L}\p{N}]+/gu) ?? [];
  if (typed.length === 1) {
    typed = split(typed[0], words);
  }
  const found = typed.map((word) => corrected(word, words));
  return found.length === 2 && found.every(Boolean) ? found.join("-") : "";
}

function split(typed, words) {
  const first = words.find((word) => typed.startsWith(word) && typed.length > word.length);
  return first === undefined ? [typed] : [first, typed.slice(first.length)];
}

function corrected(typed, words) {
  if (words.includes(typed)) {
    return typed;
  }
  const near = words.filter((word) => isSlip(typed, word));
  return near.length === 1 ? near[0] : "";
}

// One added, missing, wrong or swapped key turns `meant` into `typed`.
function isSlip(typed, meant) {
  let same = 0;
  while (same < meant.length && typed[same] === meant[same]) {
    same += 1;
  }
  const [is, should] = [typed.slice(same), meant.slice(same)];
  const [one, other = "", ...rest] = should;
  const isMissing = is === should.slice(1);
  return isMissing || [should, should.slice(1)].includes(is.slice(1)) || is === [other, one, ...rest].join("");
}
