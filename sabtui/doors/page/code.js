// A room code as people type it, as net/secure/code.py parses it: any case, any separator or
// none, a slip in each word.

// Return the code as both sides know it, "" if the text is none.
export function parseCode(text, words) {
  let typed = text.normalize("NFKC").toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  if (typed.length === 1) {
    const first = words.find((word) => typed[0].startsWith(word)) ?? "";
    typed = [first, typed[0].slice(first.length)];
  }
  const meant = typed.map((word) => (words.includes(word) ? [word] : words.filter((one) => isSlip(word, one))));
  return meant.length === 2 && meant.every((found) => found.length === 1) ? meant.join("-") : "";
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
