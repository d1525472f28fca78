"use strict";
(() => {
  const parts = [...document.querySelectorAll("[data-a]")].map((part) => [part, +part.dataset.a, +part.dataset.z]);
  const links = [...document.querySelectorAll("nav a")];
  const rounds = links.flatMap((link, step) => ("first" in link.dataset ? [step] : []));
  const last = links.length - 1;
  const slider = document.querySelector("input");
  const player = document.querySelector("[data-do=play]");
  let at = last, clock = 0;

  function show(step) {
    at = Math.min(Math.max(step, 0), last);
    for (const [part, from, to] of parts) part.toggleAttribute("hidden", at < from || at > to);
    links.forEach((link, number) => number === at ? link.setAttribute("aria-current", "step") : link.removeAttribute("aria-current"));
    const list = document.querySelector("nav"), link = links[at];
    list.scrollTop = link.offsetTop - list.offsetTop - list.clientHeight / 2;
    slider.value = at;
    history.replaceState(null, "", `#${at}`);
  }

  function stop() {
    clearInterval(clock);
    clock = 0;
    player.setAttribute("aria-pressed", "false");
  }

  const actions = {
    first: () => show(0),
    back: () => show(at - 1),
    on: () => show(at + 1),
    last: () => show(last),
    earlier: () => show(rounds.filter((step) => step < at).pop() ?? 0),
    later: () => show(rounds.find((step) => step > at) ?? last),
    play: () => {
      if (clock) return stop();
      if (at === last) show(0);
      player.setAttribute("aria-pressed", "true");
      clock = setInterval(() => (at === last ? stop() : show(at + 1)), 1500);
    },
  };
  const keys = { Home: "first", ArrowLeft: "back", ArrowRight: "on", End: "last", PageUp: "earlier", PageDown: "later", " ": "play" };

  function act(name) {
    if (name !== "play") stop();
    actions[name]();
  }

  document.addEventListener("keydown", (event) => {
    const name = keys[event.key];
    if (!name || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === " " && event.target.closest("button, a")) return;
    event.preventDefault();
    act(name);
  });
  document.querySelectorAll("button").forEach((button) => button.addEventListener("click", () => act(button.dataset.do)));
  slider.addEventListener("input", () => { stop(); show(+slider.value); });
  addEventListener("hashchange", () => show(asked()));
  const asked = () => (/^#\d+$/.test(location.hash) ? +location.hash.slice(1) : last);
  document.querySelector(".bar").hidden = false;
  show(asked());
})();
