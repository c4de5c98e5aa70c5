// Where bodies are at the moment that is drawn: between the last frames that came, never beyond.
import { THREE } from "nicegui-scene";

const KEPT = 12;

export class Motion {
  constructor() {
    this.frames = [];
    this.count = 0;
    this.build = -1;
    this.offset = null; // browser's clock minus the simulation's, ms
    this.delay = 60; // ms behind, so that there is mostly a later frame
    this.poses = [];
  }

  add(head, data) {
    const now = performance.now();
    if (head.build !== this.build) { this.frames = []; this.build = head.build; }
    const offset = now - head.w;
    this.offset = this.offset === null || offset < this.offset ? offset : this.offset + 0.02 * (offset - this.offset);
    const poses = new Float32Array(data.buffer, data.start, 7 * head.n);
    this.frames.push({ w: head.w, t: head.t, poses, count: head.n });
    if (this.frames.length > KEPT) this.frames.shift();
    this.count = head.n;
  }

  advance(now) {
    const frames = this.frames;
    if (!frames.length) return;
    const at = now - this.offset - this.delay;
    let i = frames.length - 1;
    while (i > 0 && frames[i].w > at) i -= 1;
    const a = frames[i], b = frames[Math.min(i + 1, frames.length - 1)];
    const jumped = b.t < a.t; // it was set back
    const share = b === a || jumped ? (jumped ? 1 : 0) : Math.min(1, Math.max(0, (at - a.w) / (b.w - a.w)));
    while (this.poses.length < a.count) this.poses.push({ position: new THREE.Vector3(), quaternion: new THREE.Quaternion() });
    const other = new THREE.Quaternion(), far = new THREE.Vector3();
    for (let k = 0; k < a.count; k += 1) {
      const o = 7 * k, pose = this.poses[k];
      pose.position.fromArray(a.poses, o);
      pose.quaternion.fromArray(a.poses, o + 3);
      if (share > 0 && b.count === a.count) {
        far.fromArray(b.poses, o);
        if (far.distanceToSquared(pose.position) > 25 && share < 1) continue; // put elsewhere, not moved
        pose.position.lerp(far, share);
        pose.quaternion.slerp(other.fromArray(b.poses, o + 3), share);
      }
    }
  }

  pose(body) { return body >= 0 && body < this.count ? this.poses[body] : undefined; }
}
