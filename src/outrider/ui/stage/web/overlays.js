// What is drawn over the world: clouds of points, beams, cones, contacts, maps, paths, the trail.
import { THREE } from "nicegui-scene";

const TRAIL = 4000;

export class Overlays {
  constructor(scene, motion) {
    this.root = new THREE.Group();
    scene.add(this.root);
    this.motion = motion;
    this.all = new Map();
    this.hidden = new Set();
    this.trail = line(0xffb26b, TRAIL);
    this.trail.visible = false;
    this.trailCount = 0;
    this.trailBody = -1;
    this.root.add(this.trail);
  }

  update(head, data) {
    const make = MAKERS[head.k];
    if (!make) return;
    const before = this.all.get(head.id);
    if (before) { this.root.remove(before); before.traverse?.((child) => { child.geometry?.dispose(); child.material?.map?.dispose(); }); }
    this.all.delete(head.id);
    if (head.gone) return;
    const made = make(head, data);
    made.userData.summary = { k: head.k, n: head.n ?? 0 };
    this.root.add(made);
    this.all.set(head.id, made);
  }

  summary() { return Object.fromEntries([...this.all].map(([id, made]) => [id, made.userData.summary])); }

  setView(options) { if (options.trail !== undefined) { this.trail.visible = options.trail; this.trailCount = 0; } }

  trailOf(body) { this.trailBody = body; this.trailCount = 0; }

  advance() {
    if (!this.trail.visible) return;
    const pose = this.motion.pose(this.trailBody);
    if (!pose) return;
    const places = this.trail.geometry.attributes.position;
    const last = new THREE.Vector3();
    if (this.trailCount) last.fromBufferAttribute(places, this.trailCount - 1);
    const apart = this.trailCount ? last.distanceTo(pose.position) : 1;
    if (apart > 8) this.trailCount = 0;
    if (apart < 0.05) return;
    if (this.trailCount === TRAIL) { places.array.copyWithin(0, 3 * 400); this.trailCount -= 400; }
    places.setXYZ(this.trailCount, pose.position.x, pose.position.y, pose.position.z + 0.03);
    this.trailCount += 1;
    places.needsUpdate = true;
    this.trail.geometry.setDrawRange(0, this.trailCount);
  }
}

function line(colour, room) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(3 * room), 3));
  const made = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: colour, toneMapped: false }));
  made.frustumCulled = false;
  return made;
}

function floats(data, from, count) { return new Float32Array(data.buffer.slice(data.start + 4 * from, data.start + 4 * (from + count))); }

function coloured(head, data) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(floats(data, 0, 3 * head.n), 3));
  const start = data.start + 12 * head.n;
  const colours = new Uint8Array(data.buffer.slice(start, start + 4 * head.n));
  geometry.setAttribute("color", new THREE.BufferAttribute(colours, 4, true));
  return geometry;
}

const MAKERS = {
  cloud(head, data) {
    const material = new THREE.PointsMaterial({ size: head.size ?? 3, sizeAttenuation: false, vertexColors: true, toneMapped: false });
    const made = new THREE.Points(coloured(head, data), material);
    made.frustumCulled = false;
    return made;
  },
  lines(head, data) {
    const material = new THREE.LineBasicMaterial({ vertexColors: true, transparent: true, opacity: head.opacity ?? 0.6, toneMapped: false });
    const made = new THREE.LineSegments(coloured(head, data), material);
    made.frustumCulled = false;
    return made;
  },
  faces(head, data) {
    const geometry = coloured(head, data);
    const index = new Uint32Array(data.buffer.slice(data.start + 16 * head.n, data.start + 16 * head.n + 4 * head.m));
    geometry.setIndex(new THREE.BufferAttribute(index, 1));
    const material = new THREE.MeshBasicMaterial({ vertexColors: true, transparent: true, opacity: head.opacity ?? 0.35, side: THREE.DoubleSide, depthWrite: false, toneMapped: false });
    const made = new THREE.Mesh(geometry, material);
    made.frustumCulled = false;
    return made;
  },
  path(head, data) {
    const group = new THREE.Group();
    const made = line(new THREE.Color(head.colour ?? "#4fc3f7"), head.n);
    Object.assign(made.material, { depthTest: false, transparent: true });
    made.renderOrder = 4;
    made.geometry.attributes.position.array.set(floats(data, 0, 3 * head.n));
    group.add(made);
    if (!head.dots) return group;
    const dot = new THREE.SphereGeometry(head.dots, 12, 8);
    const paint = new THREE.MeshBasicMaterial({ color: head.colour ?? "#4fc3f7", toneMapped: false });
    const many = new THREE.InstancedMesh(dot, paint, head.n);
    const at = new THREE.Matrix4(), places = floats(data, 0, 3 * head.n);
    for (let i = 0; i < head.n; i += 1) many.setMatrixAt(i, at.makeTranslation(places[3 * i], places[3 * i + 1], places[3 * i + 2]));
    group.add(many);
    return group;
  },
  marks(head, data) {
    const places = floats(data, 0, 3 * head.n);
    const paint = new THREE.MeshBasicMaterial({ color: head.colour ?? "#ff4d4d", depthTest: !head.over, transparent: true, opacity: 0.85, toneMapped: false });
    const many = new THREE.InstancedMesh(new THREE.SphereGeometry(head.radius ?? 0.03, 12, 8), paint, Math.max(1, head.n));
    many.count = head.n;
    many.renderOrder = 8;
    const at = new THREE.Matrix4();
    for (let i = 0; i < head.n; i += 1) many.setMatrixAt(i, at.makeTranslation(places[3 * i], places[3 * i + 1], places[3 * i + 2]));
    many.frustumCulled = false;
    return many;
  },
  map(head, data) {
    const pixels = new Uint8Array(data.buffer.slice(data.start, data.start + 4 * head.width * head.height));
    const texture = new THREE.DataTexture(pixels, head.width, head.height);
    texture.colorSpace = THREE.SRGBColorSpace;
    texture.needsUpdate = true;
    const plane = new THREE.PlaneGeometry(head.width * head.cell, head.height * head.cell);
    plane.translate((head.width * head.cell) / 2, (head.height * head.cell) / 2, 0);
    const made = new THREE.Mesh(plane, new THREE.MeshBasicMaterial({ map: texture, transparent: true, opacity: 0.5, depthTest: false, depthWrite: false, toneMapped: false })); // a flat map, seen through hills
    made.position.set(...head.origin);
    made.rotation.z = head.yaw ?? 0;
    made.renderOrder = 3;
    return made;
  },
};
