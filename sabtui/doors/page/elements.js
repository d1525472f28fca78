// Elements of the page: made, and kept by their keys so that a finger finds again what it touched.
import { show } from "./pictures.js";

export const byId = (id) => document.getElementById(id);

export function make(tag, name = "", text = undefined) {
  const element = document.createElement(tag);
  element.className = name;
  if (text !== undefined) {
    element.textContent = text;
  }
  return element;
}

export function picture(name, text = "", className = "") {
  const image = make("img", className);
  image.alt = text;
  image.draggable = false;
  show(image, name, className.includes("card"));
  return image;
}

export function button(text, act, className = "") {
  const element = make("button", className, text);
  element.type = "button";
  element.onclick = act;
  return element;
}

export function group(className, ...children) {
  const element = make("div", className);
  element.append(...children);
  return element;
}

// Set what differs: an attribute, or with "--" before its name a property of the style.
export function set(element, values) {
  for (const [name, value] of Object.entries(values)) {
    if (name.startsWith("--")) {
      element.style.setProperty(name, value);
    } else if (name === "text") {
      if (element.textContent !== value) {
        element.textContent = value;
      }
    } else if (name === "class") {
      element.className = value;
    } else {
      element.setAttribute(name, value);
    }
  }
}

// Make an element's children those of `rows`, each a key, what makes it, and what brings it up to
// date; those whose keys were there stay the same elements.
export function keep(parent, rows) {
  const before = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  const now = rows.map(([key, create, update]) => {
    const child = before.get(key) ?? create();
    child.dataset.key = key;
    before.delete(key);
    update(child);
    return child;
  });
  const kept = new Set(now);
  for (const gone of [...parent.children].filter((child) => !kept.has(child))) {
    gone.remove();
  }
  now.forEach((child, at) => {
    if (parent.children[at] !== child) {
      parent.insertBefore(child, parent.children[at] ?? null);
    }
  });
}
