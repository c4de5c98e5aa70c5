// The eyes: orbit, follow, chase, first person, free flight, and straight down without perspective.
import { THREE, OrbitControls } from "nicegui-scene";

const UP = new THREE.Vector3(0, 0, 1);
const TURNS = [0, 45, -45, 90, -90, 135, -135, 180]; // degrees away from where it would look from

export class Cameras {
  constructor(canvas, motion, picture) {
    this.canvas = canvas;
    this.motion = motion;
    this.picture = picture;
    this.perspective = new THREE.PerspectiveCamera(55, 1, 0.05, 8000);
    this.flat = new THREE.OrthographicCamera(-10, 10, 10, -10, 0.1, 4000);
    for (const camera of [this.perspective, this.flat]) camera.up.copy(UP);
    this.perspective.position.set(-4, -3, 3);
    this.orbit = new OrbitControls(this.perspective, canvas);
    this.orbit.maxPolarAngle = 0.495 * Math.PI;
    this.orbit.minDistance = 0.3;
    this.orbit.zoomToCursor = false;
    this.above = new OrbitControls(this.flat, canvas);
    this.above.enableRotate = false;
    this.above.screenSpacePanning = true;
    this.above.mouseButtons = { LEFT: THREE.MOUSE.PAN, MIDDLE: THREE.MOUSE.DOLLY, RIGHT: THREE.MOUSE.PAN };
    this.mode = "follow";
    this.root = -1; // body that is followed
    this.last = null;
    this.heading = null;
    this.eye = { position: [0.3, 0, 0.3], quaternion: [0, 0, 0, 1], fov: 60 };
    this.focus = new THREE.Vector3();
    this.aspect = 1;
    this.height = 12;
    this.placed = false;
    this.seeking = false; // a place from which the robot is seen
    this.enable();
    this.wireFlight();
  }

  get camera() { return this.mode === "top" ? this.flat : this.perspective; }

  resize(width, height) {
    this.aspect = width / height;
    this.perspective.aspect = this.aspect;
    this.perspective.updateProjectionMatrix();
    this.fitFlat();
  }

  fitFlat() {
    Object.assign(this.flat, { left: -this.height * this.aspect, right: this.height * this.aspect, top: this.height, bottom: -this.height });
    this.flat.updateProjectionMatrix();
  }

  watch(root) { this.root = root; this.last = null; }

  worldLoaded() {
    const { low, high } = this.picture.world;
    const size = Math.max(high[0] - low[0], high[1] - low[1]);
    this.perspective.far = Math.max(400, Math.min(8000, 3 * size));
    this.perspective.updateProjectionMatrix();
    this.flat.far = Math.max(400, 2 * (high[2] - low[2]) + 400);
    if (!this.placed) {
      this.lookAt(this.picture.world.start, 3.6);
      this.seeking = true;
    }
    this.placed = true;
  }

  setMode(mode) {
    const before = this.mode;
    if (mode === before) return;
    const at = this.target();
    this.mode = mode;
    this.last = null;
    this.heading = null;
    this.perspective.fov = mode === "first" ? this.eye.fov : 55;
    this.perspective.updateProjectionMatrix();
    if (mode === "top") {
      this.height = Math.max(4, 0.6 * this.perspective.position.distanceTo(at));
      this.flat.zoom = 1;
      this.fitFlat();
      this.above.target.copy(at);
      this.flat.position.set(at.x, at.y, at.z + 0.45 * this.flat.far);
      this.above.update();
    } else if (["first", "chase"].includes(before) || before === "top") {
      this.orbit.target.copy(at);
      if (!["fly"].includes(mode)) this.perspective.position.copy(at).add(this.inSight(at, new THREE.Vector3(-3.2, -2.4, 2.2)));
      this.perspective.up.copy(UP);
    } else if (before === "fly" && mode !== "first") {
      const ahead = new THREE.Vector3(0, 0, -6).applyQuaternion(this.perspective.quaternion);
      this.orbit.target.copy(mode === "follow" ? at : this.perspective.position.clone().add(ahead));
    }
    this.enable();
  }

  // Where it looks from, to be saved and brought back.
  keep() {
    const ahead = new THREE.Vector3(0, 0, -6).applyQuaternion(this.perspective.quaternion).add(this.perspective.position);
    const target = this.mode === "top" ? this.above.target : this.orbit.enabled ? this.orbit.target : ahead;
    return { mode: this.mode, position: this.camera.position.toArray(), target: target.toArray(), height: this.height / this.flat.zoom };
  }

  bringBack({ mode, position, target, height }) {
    this.setMode(mode);
    if (!position || !target) return;
    this.placed = true;
    this.seeking = false;
    this.last = null;
    if (mode === "top") {
      this.height = height;
      this.flat.zoom = 1;
      this.fitFlat();
      this.above.target.set(...target);
    } else {
      this.orbit.target.set(...target);
    }
    this.camera.position.set(...position);
    this.camera.lookAt(...target);
  }

  enable() {
    this.orbit.enabled = this.mode === "orbit" || this.mode === "follow";
    this.above.enabled = this.mode === "top";
  }

  target() {
    const pose = this.motion.pose(this.root);
    return pose ? pose.position.clone() : this.orbit.target.clone();
  }

  lookAt(point, distance) {
    const at = new THREE.Vector3(...point);
    if (this.mode === "top") {
      const shift = at.clone().sub(this.above.target).setZ(0);
      this.above.target.add(shift);
      this.flat.position.add(shift);
      return;
    }
    const away = this.perspective.position.clone().sub(this.orbit.target);
    if (distance) away.setLength(distance);
    this.orbit.target.copy(at);
    this.perspective.position.copy(at).add(away);
    if (this.mode === "follow") this.last = null;
    this.orbit.update();
  }

  advance(passed) {
    const pose = this.motion.pose(this.root);
    if (this.mode === "follow" && pose) this.follow(pose);
    if (this.mode === "top" && pose) this.drift(pose);
    if (this.mode === "chase" && pose) this.chase(pose, passed);
    if (this.mode === "first" && pose) this.firstPerson(pose);
    if (this.orbit.enabled) this.orbit.update();
    if (this.above.enabled) this.above.update();
    if (this.mode === "top") this.focus.copy(this.above.target);
    else if (this.orbit.enabled) this.focus.copy(this.orbit.target);
    else this.focus.copy(this.perspective.position).add(new THREE.Vector3(0, 0, -12).applyQuaternion(this.perspective.quaternion));
  }

  follow(pose) {
    const target = this.orbit.target;
    if (this.last) {
      const moved = pose.position.clone().sub(this.last);
      target.add(moved);
      this.perspective.position.add(moved);
    } else {
      const moved = pose.position.clone().sub(target);
      target.add(moved);
      this.perspective.position.add(moved);
      if (this.seeking) {
        const away = this.perspective.position.clone().sub(target);
        this.perspective.position.copy(target).add(this.inSight(target, away));
        this.seeking = false;
      }
    }
    this.last = pose.position.clone();
  }

  // How far away to look at a point from: as asked, or from the side, or nearer, where a wall would be in between.
  inSight(at, away) {
    const from = at.clone().setZ(at.z + 0.3);
    for (const share of [1, 0.7, 0.45]) {
      for (const turn of TURNS) {
        const tried = away.clone().applyAxisAngle(UP, THREE.MathUtils.degToRad(turn)).multiplyScalar(share);
        if (!this.picture.hides(from, at.clone().add(tried))) return tried;
      }
    }
    return away;
  }

  // From above: go along with the robot, wherever the view was shifted to.
  drift(pose) {
    if (this.last) {
      const moved = pose.position.clone().sub(this.last).setZ(0);
      this.above.target.add(moved);
      this.flat.position.add(moved);
    }
    this.last = pose.position.clone();
  }

  chase(pose, passed) {
    const ahead = new THREE.Vector3(1, 0, 0).applyQuaternion(pose.quaternion).setZ(0).normalize();
    this.heading = this.heading ? this.heading.lerp(ahead, 1 - Math.exp(-4 * passed)).normalize() : ahead;
    this.perspective.up.copy(UP);
    this.perspective.position.copy(pose.position).addScaledVector(this.heading, -2.6).add(new THREE.Vector3(0, 0, 1.2));
    this.perspective.lookAt(pose.position.clone().addScaledVector(this.heading, 1.2).add(new THREE.Vector3(0, 0, 0.2)));
  }

  firstPerson(pose) {
    const turn = new THREE.Quaternion(...this.eye.quaternion);
    const position = new THREE.Vector3(...this.eye.position).applyQuaternion(pose.quaternion).add(pose.position);
    const whole = pose.quaternion.clone().multiply(turn);
    this.perspective.up.copy(new THREE.Vector3(0, 0, 1).applyQuaternion(whole));
    this.perspective.position.copy(position);
    this.perspective.lookAt(position.clone().add(new THREE.Vector3(1, 0, 0).applyQuaternion(whole)));
  }

  // ------------------------------------------------------------ free flight
  wireFlight() {
    let held = false;
    this.canvas.addEventListener("pointerdown", () => { held = this.mode === "fly"; });
    window.addEventListener("pointerup", () => { held = false; });
    window.addEventListener("pointermove", (event) => {
      if (held && this.mode === "fly") this.turn(-0.0035 * event.movementX, -0.0035 * event.movementY);
    });
  }

  turn(yaw, pitch) {
    const euler = new THREE.Euler().setFromQuaternion(this.perspective.quaternion.clone().premultiply(FROM_Z_UP), "YXZ");
    euler.y += yaw;
    euler.x = Math.max(-1.5, Math.min(1.5, euler.x + pitch));
    euler.z = 0;
    this.perspective.quaternion.setFromEuler(euler).premultiply(TO_Z_UP);
  }

  move(forward, right, up, passed, speed) {
    const way = new THREE.Vector3(right, 0, -forward).applyQuaternion(this.perspective.quaternion);
    way.z += up;
    this.perspective.position.addScaledVector(way, passed * speed);
  }
}

const TO_Z_UP = new THREE.Quaternion().setFromAxisAngle(new THREE.Vector3(1, 0, 0), Math.PI / 2);
const FROM_Z_UP = TO_Z_UP.clone().invert();
