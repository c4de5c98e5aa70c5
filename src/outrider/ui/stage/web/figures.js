// Numbers of the transport bar, written straight into the page: 30 times a second is too often for more.
const LIVE = (name) => document.querySelectorAll(`[data-live="${name}"]`);

function clock(seconds) {
  const minutes = Math.floor(seconds / 60);
  const rest = (seconds - 60 * minutes).toFixed(2).padStart(5, "0");
  return `${String(minutes).padStart(2, "0")}:${rest}`;
}

export class Figures {
  constructor() { this.time = 0; this.fps = 0; this.since = performance.now(); this.frames = 0; this.paused = null; }

  show(head) {
    this.time = head.t;
    this.write("time", clock(head.t));
    this.write("steps", String(head.steps));
    this.write("rtf", head.paused ? "paused" : `RTF ${head.rtf.toFixed(2)}`);
    this.write("lag", `lag ${(1000 * head.lag).toFixed(0)} ms`);
    this.write("dropped", `${head.dropped.toFixed(1)} s`);
    if (head.paused !== this.paused) {
      this.paused = head.paused;
      document.body.classList.toggle("or-paused", head.paused);
    }
    const finished = head.finished !== null;
    document.body.classList.toggle("or-finished", finished);
  }

  count(now) {
    this.frames += 1;
    if (now - this.since < 1000) return false;
    this.fps = (1000 * this.frames) / (now - this.since);
    this.since = now;
    this.frames = 0;
    this.write("fps", `${this.fps.toFixed(0)} fps`);
    return true;
  }

  // A card's picture; the one before is let go when the new one is there.
  image(head, data) {
    const places = document.querySelectorAll(`img[data-view="${head.id}"]`);
    if (!places.length) return;
    const address = URL.createObjectURL(new Blob([new Uint8Array(data.buffer, data.start)], { type: "image/jpeg" }));
    for (const place of places) {
      const before = place.src;
      place.onload = () => { if (before.startsWith("blob:")) URL.revokeObjectURL(before); };
      place.src = address;
      place.dataset.count = String(Number(place.dataset.count ?? 0) + 1);
    }
  }

  text(head) {
    for (const place of document.querySelectorAll(`pre[data-view="${head.id}"]`)) place.textContent = head.text;
  }

  write(name, text) { for (const place of LIVE(name)) if (place.textContent !== text) place.textContent = text; }
}
