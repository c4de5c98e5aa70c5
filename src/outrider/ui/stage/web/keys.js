// Keys: held ones drive, or fly the camera; others are commands of the page.
const DRIVE = {
  KeyU: [1, 0], KeyJ: [-1, 0], KeyH: [0, 1], KeyK: [0, -1],
  ArrowUp: [1, 0], ArrowDown: [-1, 0], ArrowLeft: [0, 1], ArrowRight: [0, -1],
  KeyW: [1, 0], KeyS: [-1, 0], KeyA: [0, 1], KeyD: [0, -1],
};
const FLY = { KeyW: [1, 0, 0], KeyS: [-1, 0, 0], KeyD: [0, 1, 0], KeyA: [0, -1, 0], KeyQ: [0, 0, 1], KeyZ: [0, 0, -1] };
const REPEAT_MS = 100;

function typing(target) {
  return target?.closest?.("input, textarea, select, [contenteditable=true], .cm-editor, .q-dialog");
}

// A button that was clicked would take Enter and Space for itself from then on.
function letGo() {
  const active = document.activeElement;
  if (active && !typing(active)) active.blur();
}

export class Keys {
  constructor(stage) {
    this.stage = stage;
    this.held = new Set();
    this.stick = [0, 0]; // on the screen
    this.lever = [0, 0]; // of a gamepad
    this.limit = 1; // share of the greatest speed
    this.flying = false;
    this.sent = "0,0";
    this.down = (event) => this.press(event);
    this.up = (event) => { this.held.delete(event.code); this.tell(); };
    this.away = () => { this.held.clear(); this.tell(); };
    window.addEventListener("keydown", this.down);
    window.addEventListener("keyup", this.up);
    window.addEventListener("blur", this.away);
    window.addEventListener("click", letGo);
    this.timer = setInterval(() => { this.pad(); if (this.sent !== "0,0") this.tell(true); }, REPEAT_MS);
  }

  close() {
    clearInterval(this.timer);
    window.removeEventListener("keydown", this.down);
    window.removeEventListener("keyup", this.up);
    window.removeEventListener("blur", this.away);
    window.removeEventListener("click", letGo);
  }

  press(event) {
    if (typing(event.target)) return;
    if (event.ctrlKey || event.metaKey) { this.shortcut(event); return; }
    if (event.altKey) return;
    if (event.code === "Space") { event.preventDefault(); if (!event.repeat) this.toggleFlight(); return; }
    if (event.code in DRIVE || event.code in FLY) { event.preventDefault(); this.held.add(event.code); this.tell(); return; }
    if (event.repeat) return;
    const name = event.code === "Semicolon" ? "stop" : COMMANDS[event.code];
    if (!name) return;
    event.preventDefault();
    if (name === "stop") { this.held.clear(); this.sent = ""; this.tell(); }
    this.stage.emit("key", { name });
  }

  shortcut(event) {
    const name = { KeyZ: event.shiftKey ? "redo" : "undo", KeyY: "redo", KeyS: "save", KeyD: "duplicate" }[event.code];
    if (!name) return;
    event.preventDefault();
    this.stage.emit("key", { name });
  }

  toggleFlight() {
    this.held.clear();
    this.tell();
    this.stage.setCamera(this.stage.cameras.mode === "fly" ? "follow" : "fly");
  }

  // A gamepad, where the browser knows one: left stick up and down, left and right.
  pad() {
    const pad = [...(navigator.getGamepads?.() ?? [])].find((found) => found);
    if (!pad) return;
    const dead = (value) => (Math.abs(value) < 0.12 ? 0 : value);
    this.lever = [-dead(pad.axes[1] ?? 0), -dead(pad.axes[0] ?? 0)];
    this.tell();
  }

  hold(forward, left) { this.stick = [forward, left]; this.tell(); }

  tell(again = false) {
    let [forward, left] = [this.stick[0] + this.lever[0], this.stick[1] + this.lever[1]];
    for (const code of this.held) {
      if (!(code in DRIVE) || (this.flying && code in FLY)) continue;
      forward += DRIVE[code][0];
      left += DRIVE[code][1];
    }
    forward = this.limit * Math.max(-1, Math.min(1, forward));
    left = this.limit * Math.max(-1, Math.min(1, left));
    const said = `${forward},${left}`;
    if (said === this.sent && !again) return;
    this.sent = said;
    this.stage.drive(forward, left);
  }

  fly(passed) {
    if (!this.flying) return;
    const way = [0, 0, 0];
    for (const code of this.held) if (code in FLY) FLY[code].forEach((part, i) => { way[i] += part; });
    if (way.some(Boolean)) this.stage.cameras.move(...way, passed, 8);
  }
}

const COMMANDS = {
  Enter: "reset", KeyP: "pause", Period: "step", Delete: "delete", Escape: "escape", KeyF: "focus",
  Digit1: "follow", Digit2: "orbit", Digit3: "chase", Digit4: "first", Digit5: "top", Digit6: "fly",
  KeyX: "wireframe", KeyG: "grid", Slash: "console", F1: "help",
};
