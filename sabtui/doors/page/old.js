// For browsers of a few years ago: what noble.js and the page ask of newer ones. It is no module, as
// it has to have run before all of them are read.
for (const list of [Array.prototype, Uint8Array.prototype, String.prototype]) {
  list.at = list.at || function (at) { return this[at < 0 ? this.length + at : at]; };
}
Array.prototype.findLast = Array.prototype.findLast || function (is) { return this.slice().reverse().find(is); };
Object.hasOwn = Object.hasOwn || function (thing, name) { return Object.prototype.hasOwnProperty.call(thing, name); };
const dialog = HTMLElement.prototype;
if (!window.HTMLDialogElement || !window.HTMLDialogElement.prototype.showModal) {
  dialog.showModal = function () { this.setAttribute("open", ""); };
  dialog.close = function () {
    this.removeAttribute("open");
    this.dispatchEvent(new Event("close"));
  };
  Object.defineProperty(dialog, "open", { get() { return this.hasAttribute("open"); } });
}
