// The world as it is drawn: meshes, materials, light, sky, the outline of what is selected.
import { THREE } from "nicegui-scene";
import { Shelf } from "./shelf.js";
import { Tiles } from "./tiles.js";
import { Sky } from "./sky.js";

const ACCENT = 0xff8a3d;
export const FIRST = -1; // build of the first load, whichever it is

export class Picture {
  constructor(scene, renderer) {
    this.scene = scene;
    this.renderer = renderer;
    this.shelf = new Shelf(renderer);
    this.sky = new Sky(scene);
    this.root = new THREE.Group();
    this.marks = new THREE.Group();
    this.grid = grid(20);
    this.axes = new THREE.AxesHelper(1.5);
    Object.assign(this.axes.material, { depthTest: false, transparent: true });
    this.grid.visible = this.axes.visible = false;
    scene.add(this.root, this.marks, this.grid, this.axes);
    this.bodies = new Map(); // body number -> group
    this.tiles = [];
    this.labels = [];
    this.build = -1;
    this.loaded = false;
    this.wireframe = false;
    this.shadows = true;
    this.scale = 1;
    this.world = null;
  }

  async load(build) {
    if (this.loading === build || this.loading === FIRST) return false;
    this.loading = build;
    try {
      return await this.show(build);
    } catch {
      this.loading = null; // the next frame tries again
      return false;
    }
  }

  async show(build) {
    const manifest = await this.manifest(build);
    const groups = await Promise.all(manifest.groups.map((group) => this.group(group)));
    await this.shelf.coloured();
    if (this.loading !== build) return false;
    this.root.clear();
    this.bodies.clear();
    this.tiles = [];
    for (const group of groups) {
      this.root.add(group);
      if (group.userData.body >= 0) this.bodies.set(group.userData.body, group);
      this.tiles.push(...group.userData.tiles);
    }
    this.labels = manifest.labels;
    this.world = manifest.world;
    this.sky.set(manifest.world);
    this.shelf.tidy();
    this.applyView();
    this.build = this.loading = manifest.build;
    this.loaded = true;
    return true;
  }

  // What the page has fetched before it was put together, or what is there by now.
  async manifest(build) {
    const early = await window.outriderEarly?.catch(() => null);
    window.outriderEarly = null;
    if (early && (build === FIRST || early.build === build)) return early;
    return (await fetch("/outrider/stage.json")).json();
  }

  async group(row) {
    const group = new THREE.Group();
    group.userData = { body: row.body, tiles: [] };
    const parts = await Promise.all(row.parts.map((part) => this.part(part)));
    for (const part of parts) {
      if (part instanceof Tiles) { group.add(part.group); group.userData.tiles.push(part); }
      else group.add(part);
    }
    return group;
  }

  async part(row) {
    const material = this.shelf.material(row.looks, Boolean(row.tiles));
    if (row.tiles) return Tiles.make(row, material, this.shelf);
    const geometry = await this.shelf.geometry(row.mesh);
    const mesh = new THREE.Mesh(geometry, material);
    mesh.castShadow = mesh.receiveShadow = true;
    return mesh;
  }

  place(motion) {
    if (motion.build !== this.build) return;
    for (const [body, group] of this.bodies) {
      const pose = motion.pose(body);
      if (pose && group !== this.held) { group.position.copy(pose.position); group.quaternion.copy(pose.quaternion); }
    }
    if (this.ghosting) return; // the outline is being dragged elsewhere
    for (const mark of this.marks.children) {
      const group = this.bodies.get(mark.userData.body);
      if (group) { mark.position.copy(group.position); mark.quaternion.copy(group.quaternion); }
    }
  }

  advance(camera, focus, robot) {
    this.sky.follow(camera, focus, this.shadows);
    const { x, y, z } = robot ?? focus;
    this.grid.position.set(Math.round(x), Math.round(y), z);
    for (const tiles of this.tiles) tiles.choose(camera.position);
  }

  // ------------------------------------------------------------ names and picking
  nameOf(mesh, face) {
    const owners = mesh.geometry.userData.owners;
    let label = owners[1];
    for (let i = 0; i < owners.length && owners[i] <= face; i += 2) label = owners[i + 1];
    return this.labels[label] ?? "";
  }

  pick(caster) {
    const hit = caster.intersectObject(this.root, true)[0];
    if (!hit) return null;
    return { name: this.nameOf(hit.object, hit.faceIndex), point: hit.point, distance: hit.distance };
  }

  // Tell whether scenery is between two points.
  hides(from, to) {
    const way = to.clone().sub(from);
    const caster = new THREE.Raycaster(from, way.clone().normalize(), 0, way.length());
    const scenery = this.root.children.filter((group) => group.userData.body < 0);
    return caster.intersectObjects(scenery, true).length > 0;
  }

  // Everything of a model (or of one link), as [mesh, geometry of its own faces only].
  partsOf(name) {
    const found = [];
    this.root.traverse((mesh) => {
      if (!mesh.isMesh || !mesh.visible) return;
      const owners = mesh.geometry.userData.owners;
      const runs = [];
      for (let i = 0; i < owners.length; i += 2) {
        const label = this.labels[owners[i + 1]] ?? "";
        if (label !== name && !label.startsWith(name + "/")) continue;
        const end = i + 2 < owners.length ? owners[i + 2] : mesh.geometry.index.count / 3;
        runs.push([3 * owners[i], 3 * end]);
      }
      if (runs.length) found.push([mesh, runs]);
    });
    return found;
  }

  boxOf(name) {
    const box = new THREE.Box3();
    const point = new THREE.Vector3();
    for (const [mesh, runs] of this.partsOf(name)) {
      mesh.updateWorldMatrix(true, false);
      const position = mesh.geometry.attributes.position, index = mesh.geometry.index;
      for (const [start, end] of runs) {
        const step = Math.max(1, Math.floor((end - start) / 3000));
        for (let i = start; i < end; i += step) box.expandByPoint(point.fromBufferAttribute(position, index.getX(i)).applyMatrix4(mesh.matrixWorld));
      }
    }
    return box;
  }

  outline(name) {
    for (const mark of this.marks.children) mark.children.forEach((child) => child.geometry.dispose());
    this.marks.clear();
    if (!name || name === "ground" || name === "world") return;
    const by = new Map();
    for (const [mesh, runs] of this.partsOf(name)) {
      const body = mesh.parent.userData.body ?? -1;
      if (!by.has(body)) {
        const mark = new THREE.Group();
        mark.userData.body = body;
        by.set(body, mark);
        this.marks.add(mark);
      }
      const geometry = new THREE.BufferGeometry();
      geometry.attributes.position = mesh.geometry.attributes.position;
      geometry.attributes.normal = mesh.geometry.attributes.normal;
      const index = mesh.geometry.index.array, parts = runs.map(([start, end]) => index.subarray(start, end));
      const whole = new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0));
      parts.reduce((at, part) => { whole.set(part, at); return at + part.length; }, 0);
      geometry.setIndex(new THREE.BufferAttribute(whole, 1));
      const hull = new THREE.Mesh(geometry, outlineMaterial());
      hull.renderOrder = 2;
      by.get(body).add(hull);
    }
  }

  // ------------------------------------------------------------ how it is shown
  setView(options) { Object.assign(this, options); this.applyView(); }

  applyView() {
    this.shelf.setWireframe(this.wireframe);
    this.renderer.shadowMap.enabled = this.shadows;
    if (this.showGrid !== undefined) this.grid.visible = this.axes.visible = this.showGrid;
    this.sky.setPlain(this.wireframe);
  }
}

// Metres around the robot, faint where hills or walls are before them. Short pieces: some drivers lose lines that pass the camera.
function grid(reach) {
  const ends = [];
  for (let i = -reach; i <= reach; i += 1) {
    for (let k = -reach; k < reach; k += 1) ends.push(i, k, 0, i, k + 1, 0, k, i, 0, k + 1, i, 0);
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(ends, 3));
  const made = new THREE.Group();
  for (const [opacity, depthTest] of [[0.12, false], [0.35, true]]) {
    const paint = new THREE.LineBasicMaterial({ color: 0xdfe6ee, transparent: true, opacity, depthTest, toneMapped: false });
    made.add(new THREE.LineSegments(geometry, paint));
  }
  return made;
}

let hullMaterial = null;
function outlineMaterial() {
  if (hullMaterial) return hullMaterial;
  hullMaterial = new THREE.MeshBasicMaterial({ color: ACCENT, side: THREE.BackSide, toneMapped: false });
  hullMaterial.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\n")
      .replace("#include <project_vertex>", `
        vec4 mvPosition = modelViewMatrix * vec4(transformed, 1.0);
        vec3 outward = normalize(normalMatrix * normal);
        float far = projectionMatrix[3][3] == 1.0 ? 10.0 : -mvPosition.z;
        mvPosition.xyz += outward * max(0.008, 0.0035 * far);
        gl_Position = projectionMatrix * mvPosition;`);
  };
  return hullMaterial;
}
