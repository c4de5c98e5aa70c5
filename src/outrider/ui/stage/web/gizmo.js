// Handles of what is selected: arrows move it along the world's axes, a square over the ground, a ring turns it.
import { THREE } from "nicegui-scene";

const COLOURS = { x: 0xe5534b, y: 0x57ab5a, z: 0x539bf5, xy: 0xd9a441, yaw: 0xff8a3d };
const AXES = { x: new THREE.Vector3(1, 0, 0), y: new THREE.Vector3(0, 1, 0), z: new THREE.Vector3(0, 0, 1) };

export class Gizmo {
  constructor(stage, moved) {
    this.stage = stage;
    this.moved = moved;
    this.enabled = true;
    this.snap = false;
    this.dragging = null;
    this.group = new THREE.Group();
    this.group.visible = false;
    for (const handle of handles()) this.group.add(handle);
    stage.scene.add(this.group);
    const canvas = stage.canvas;
    canvas.addEventListener("pointerdown", (event) => this.grab(event), true);
    window.addEventListener("pointermove", (event) => this.drag(event));
    window.addEventListener("pointerup", () => this.release());
  }

  // Only whole models have handles: links go where their joints are.
  attach(name) {
    const model = name.split("/")[0];
    this.name = model;
    const fixed = !model || ["ground", "world"].includes(model) || !this.enabled;
    this.group.visible = !fixed;
    if (fixed) return;
    const box = this.stage.picture.boxOf(model);
    this.group.visible = !box.isEmpty();
    this.middle = box.getCenter(new THREE.Vector3());
    this.middle.z = box.min.z;
    this.reach = 0.8 * box.getSize(new THREE.Vector3()).length();
    const meshes = this.stage.picture.partsOf(model);
    this.body = meshes.length ? Math.min(...meshes.map(([mesh]) => mesh.parent.userData.body ?? -1)) : -1;
    const pose = this.stage.motion.pose(this.body);
    this.offset = pose ? this.middle.clone().sub(pose.position) : null;
  }

  advance() {
    if (!this.group.visible || this.dragging) return;
    const pose = this.stage.motion.pose(this.body);
    this.group.position.copy(pose && this.offset ? pose.position.clone().add(this.offset) : this.middle);
    const camera = this.stage.cameras.camera;
    const far = camera.isOrthographicCamera ? 12 / camera.zoom : camera.position.distanceTo(this.group.position);
    this.group.scale.setScalar(Math.max(0.1 * far, Math.min(this.reach, 0.25 * far), 0.02)); // it sticks out of what it moves
  }

  grab(event) {
    if (!this.group.visible || event.button !== 0) return;
    const caster = this.stage.ray(event);
    const hit = caster.intersectObject(this.group, true)[0];
    if (!hit) return;
    event.stopImmediatePropagation();
    const kind = hit.object.userData.kind;
    const start = this.group.position.clone();
    this.dragging = { kind, start, plane: this.plane(kind, start), from: null, shift: new THREE.Vector3(), yaw: 0 };
    this.dragging.from = this.point(event);
    this.stage.picture.ghosting = true;
  }

  plane(kind, at) {
    const towards = this.stage.cameras.camera.getWorldDirection(new THREE.Vector3());
    if (kind === "xy" || kind === "yaw") return new THREE.Plane().setFromNormalAndCoplanarPoint(AXES.z, at);
    const axis = AXES[kind];
    const normal = towards.clone().addScaledVector(axis, -towards.dot(axis)).normalize();
    return new THREE.Plane().setFromNormalAndCoplanarPoint(normal, at);
  }

  point(event) { return this.stage.ray(event).ray.intersectPlane(this.dragging.plane, new THREE.Vector3()); }

  drag(event) {
    const held = this.dragging;
    if (!held) return;
    const point = this.point(event);
    if (!point || !held.from) return;
    const snap = event.ctrlKey || this.snap;
    if (held.kind === "yaw") {
      const angle = (p) => Math.atan2(p.y - held.start.y, p.x - held.start.x);
      held.yaw = ((angle(point) - angle(held.from)) * 180) / Math.PI;
      if (snap) held.yaw = 15 * Math.round(held.yaw / 15);
    } else {
      held.shift.copy(point).sub(held.from);
      if (held.kind !== "xy") held.shift.copy(AXES[held.kind].clone().multiplyScalar(held.shift.dot(AXES[held.kind])));
      if (snap) held.shift.set(...held.shift.toArray().map((part) => 0.25 * Math.round(part / 0.25)));
    }
    this.group.position.copy(held.start).add(held.shift);
    for (const mark of this.stage.picture.marks.children) this.ghost(mark, held);
  }

  // What is moved shows as its outline until the simulation has put it there.
  ghost(mark, held) {
    const turn = new THREE.Matrix4().makeTranslation(held.start.x, held.start.y, held.start.z)
      .multiply(new THREE.Matrix4().makeRotationZ((held.yaw * Math.PI) / 180))
      .multiply(new THREE.Matrix4().makeTranslation(-held.start.x, -held.start.y, -held.start.z));
    const whole = new THREE.Matrix4().makeTranslation(held.shift.x, held.shift.y, held.shift.z).multiply(turn);
    const group = this.stage.picture.bodies.get(mark.userData.body);
    const pose = new THREE.Matrix4();
    if (group) pose.compose(group.position, group.quaternion, new THREE.Vector3(1, 1, 1));
    whole.multiply(pose).decompose(mark.position, mark.quaternion, mark.scale);
  }

  release() {
    const held = this.dragging;
    if (!held) return;
    setTimeout(() => { this.dragging = null; }, 0); // the click that ends a drag selects nothing
    this.stage.picture.ghosting = false;
    if (held.shift.length() < 1e-4 && Math.abs(held.yaw) < 0.05) return;
    this.moved({ name: this.name, shift: held.shift.toArray(), yaw: held.yaw });
  }
}

function handles() {
  const all = [];
  const paint = (kind) => new THREE.MeshBasicMaterial({ color: COLOURS[kind], depthTest: false, transparent: true, opacity: 0.92, toneMapped: false });
  const add = (kind, mesh) => { mesh.userData.kind = kind; mesh.renderOrder = 20; all.push(mesh); };
  for (const kind of ["x", "y", "z"]) {
    const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), AXES[kind]);
    const shaft = new THREE.Mesh(new THREE.CylinderGeometry(0.018, 0.018, 0.8, 10).translate(0, 0.45, 0), paint(kind));
    const tip = new THREE.Mesh(new THREE.ConeGeometry(0.065, 0.2, 16).translate(0, 0.95, 0), paint(kind));
    const grip = new THREE.Mesh(new THREE.CylinderGeometry(0.09, 0.09, 1.05, 8).translate(0, 0.55, 0), new THREE.MeshBasicMaterial({ visible: false }));
    for (const mesh of [shaft, tip, grip]) { mesh.quaternion.copy(turn); add(kind, mesh); }
  }
  const pad = new THREE.Mesh(new THREE.BoxGeometry(0.22, 0.22, 0.015).translate(0.25, 0.25, 0), paint("xy"));
  pad.material.opacity = 0.6;
  add("xy", pad);
  const ring = new THREE.Mesh(new THREE.TorusGeometry(0.72, 0.018, 8, 64), paint("yaw"));
  add("yaw", ring);
  const wide = new THREE.Mesh(new THREE.TorusGeometry(0.72, 0.07, 6, 48), new THREE.MeshBasicMaterial({ visible: false }));
  add("yaw", wide);
  return all;
}
