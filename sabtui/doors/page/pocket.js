// What reaches somebody whose phone lies on the table or is in a pocket: the tab's title, a sound,
// a buzz, and a screen that stays on. Phones let a page do so only once it was touched.
import words from "./words.js";

const [TONE_HZ, TONE_S, VOLUME, BUZZ_MS] = [660, 0.12, 0.05, 80];
const AudioContext = window.AudioContext || window.webkitAudioContext;

let sound;

export const setTitle = (isCalled, name) =>
  (document.title = isCalled ? `\u25b6 ${words.your_turn}` : `${name} Sabtui`.trim());

// At each touch: a phone that was locked has stopped all of it.
export function wake() {
  const { userActivation, wakeLock } = navigator;
  if (userActivation && !userActivation.hasBeenActive) {
    return; // a click by a script: a browser would say so in its log
  }
  if (AudioContext) {
    sound = sound || new AudioContext();
    sound.resume();
  }
  // Over http there is no wake lock; a phone that plays a film stays awake, too.
  const awake = wakeLock ? wakeLock.request("screen") : document.getElementById("film").play();
  awake.catch(() => {});
}

export function call() {
  if (!sound) {
    return;
  }
  navigator.vibrate?.(BUZZ_MS);
  const tone = sound.createOscillator();
  const volume = sound.createGain();
  volume.gain.value = VOLUME;
  tone.frequency.value = TONE_HZ;
  tone.connect(volume).connect(sound.destination);
  tone.start();
  tone.stop(sound.currentTime + TONE_S);
}
