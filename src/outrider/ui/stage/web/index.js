// The scene in the browser: draws what the simulation sends, and reports clicks, drags and keys.
import { THREE } from "nicegui-scene";
import { Cameras } from "./cameras.js";
import { Gizmo } from "./gizmo.js";
import { Keys } from "./keys.js";
import { Link } from "./link.js";
import { Motion } from "./motion.js";
import { Overlays } from "./overlays.js";
import { FIRST, Picture } from "./picture.js";
import { Figures } from "./figures.js";
import { Drop } from "./drop.js";

export { preload } from "./shelf.js";

export class Stage {
  constructor(canvas, emit) {
    this.emit = emit;
    this.canvas = canvas;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, powerPreference: "high-performance" });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.scene = new THREE.Scene();
    this.motion = new Motion();
    this.picture = new Picture(this.scene, this.renderer);
    this.cameras = new Cameras(canvas, this.motion, this.picture);
    this.overlays = new Overlays(this.scene, this.motion);
    this.gizmo = new Gizmo(this, (pose) => emit("moved", pose));
    this.figures = new Figures();
    this.robot = "";
    this.link = new Link({
      frame: (head, data) => this.onFrame(head, data),
      image: (head, data) => this.figures.image(head, data),
      text: (head) => this.figures.text(head),
      overlay: (head, data) => this.overlays.update(head, data),
    });
    this.keys = new Keys(this);
    this.drop = new Drop(canvas.parentElement, (found) => emit("brought", found));
    this.wireListeners();
    if (window.outriderQuality === "low") this.coarsen();
    this.running = true;
    this.drawn = 0;
    this.seen = 0; // pictures of a whole scene
    this.load(FIRST);
    this.lastTick = performance.now();
    requestAnimationFrame((now) => this.tick(now));
  }

  close() {
    this.running = false;
    this.link.close();
    this.keys.close();
    this.observer.disconnect();
    this.renderer.dispose();
  }

  // ------------------------------------------------------------ what comes from the simulation
  load(build) { this.picture.load(build).then((fresh) => fresh && this.onLoaded()); }

  onFrame(head, data) {
    if (head.build !== this.picture.build) this.load(head.build);
    this.motion.add(head, data);
    this.figures.show(head);
  }

  onLoaded() {
    this.cameras.worldLoaded();
    this.motion.advance(performance.now());
    this.picture.place(this.motion); // handles are put where their model is, and all begins at the origin
    this.select(this.selected ?? "", false);
    this.emit("loaded", { build: this.picture.build });
  }

  // ------------------------------------------------------------ what the page asks for
  select(name, tell = false) {
    this.selected = name;
    this.picture.outline(name);
    this.gizmo.attach(name);
    if (tell) this.emit("picked", { name });
  }

  setRobot(name, root) {
    this.robot = name;
    this.cameras.watch(root);
    this.overlays.trailOf(root);
  }

  setCamera(mode) { this.cameras.setMode(mode); this.keys.flying = mode === "fly"; this.emit("camera", { mode }); }
  keepCamera() { return this.cameras.keep(); }
  bringBackCamera(kept) { this.cameras.bringBack(kept); this.keys.flying = kept.mode === "fly"; this.emit("camera", { mode: kept.mode }); }
  setView(options) {
    const { snap, ...views } = options;
    if (snap !== undefined) this.gizmo.snap = snap;
    this.picture.setView(views);
    this.overlays.setView(views);
  }
  setFirstPerson(pose) { this.cameras.eye = pose; }
  setPlacing(what) { this.placing = what; this.canvas.style.cursor = what ? "crosshair" : ""; }
  focus(name) {
    const box = this.picture.boxOf(name);
    if (!box.isEmpty()) this.cameras.lookAt(box.getCenter(new THREE.Vector3()).toArray(), Math.max(1.2, 1.6 * box.getSize(new THREE.Vector3()).length()));
  }
  lookAt(position, distance) { this.cameras.lookAt(position, distance); }
  hold(forward, left) { this.keys.hold(forward, left); }
  setLimit(share) { this.keys.limit = share; }
  drive(forward, left) { this.link.send({ k: "drive", robot: this.robot, x: forward, y: left }); }
  overlay(head) { this.overlays.update(head, null); }
  async snapshot() { this.draw(); return this.canvas.toDataURL("image/png"); }
  state() {
    return {
      build: this.picture.build, loaded: this.picture.loaded, bodies: this.motion.count, frames: this.drawn, seen: this.seen,
      camera: this.cameras.mode, position: this.cameras.camera.position.toArray(), selected: this.selected ?? "",
      time: this.figures.time, overlays: this.overlays.summary(), triangles: this.renderer.info.render.triangles,
      pose: this.motion.pose(this.cameras.root)?.position.toArray() ?? null, fps: this.figures.fps,
    };
  }

  // ------------------------------------------------------------ mouse
  wireListeners() {
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.canvas.parentElement);
    let down = null;
    this.canvas.addEventListener("pointerdown", (event) => { down = [event.clientX, event.clientY]; document.activeElement?.blur(); });
    this.canvas.addEventListener("pointerup", (event) => {
      if (!down || Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 4 || event.button !== 0) return;
      if (!this.gizmo.dragging) this.click(event);
    });
    this.canvas.addEventListener("dblclick", (event) => {
      const hit = this.hit(event);
      if (hit) this.cameras.lookAt(hit.point.toArray(), 0);
    });
  }

  ray(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * 2 - 1;
    const y = 1 - ((event.clientY - box.top) / box.height) * 2;
    const caster = new THREE.Raycaster();
    caster.setFromCamera(new THREE.Vector2(x, y), this.cameras.camera);
    return caster;
  }

  hit(event) { return this.picture.pick(this.ray(event)); }

  click(event) {
    const hit = this.hit(event);
    if (this.placing) {
      if (hit) this.emit("placed", { what: this.placing, point: hit.point.toArray(), more: event.shiftKey });
      if (!event.shiftKey) this.setPlacing("");
      return;
    }
    const name = hit ? hit.name : "";
    this.select(name);
    this.emit("picked", { name, point: hit ? hit.point.toArray() : null });
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (!width || !height) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2) * this.picture.scale);
    this.renderer.setSize(width, height, false);
    this.cameras.resize(width, height);
  }

  // ------------------------------------------------------------ drawing
  tick(now) {
    if (!this.running) return;
    requestAnimationFrame((next) => this.tick(next));
    if (window.outriderQuality === "low" && now - this.lastTick < 120) return; // drawn by a processor
    const passed = Math.min((now - this.lastTick) / 1000, 0.2);
    this.lastTick = now;
    this.motion.advance(now);
    this.picture.place(this.motion);
    this.keys.fly(passed);
    this.cameras.advance(passed);
    this.gizmo.advance();
    this.overlays.advance(this.cameras.camera);
    this.picture.advance(this.cameras.camera, this.cameras.focus, this.motion.pose(this.cameras.root)?.position);
    this.draw();
    if (this.figures.count(now)) this.ease();
    this.drawn += 1;
    if (this.picture.loaded && ++this.seen === 3) this.picture.shelf.wasSeen();
  }

  // A slow machine gets a coarser picture, then one without shadows; the simulation goes on as before.
  ease() {
    if (window.outriderQuality === "high" || !this.picture.loaded || document.hidden) return;
    this.slow = this.figures.fps < 14 ? (this.slow ?? 0) + 1 : 0;
    if (this.slow < 3 || this.picture.scale <= 0.5) return;
    this.coarsen();
  }

  coarsen() {
    this.picture.scale = 0.5;
    this.picture.setView({ shadows: false });
    this.resize();
    this.emit("eased", {});
  }

  draw() { this.renderer.render(this.scene, this.cameras.camera); }
}
