// Light and sky as the simulation's own cameras have them: the sun with shadows, light from above, haze.
import { THREE } from "nicegui-scene";

const PI = Math.PI; // a white surface under a light of 1 is to be white
const UNDER = 0.5; // share of the sky's light on what faces down
const SHADOW_M = 26; // half the side of the square that has shadows

const DOME = `
  varying vec3 direction;
  uniform vec3 sky, horizon;
  void main() {
    float up = max(0.0, normalize(direction).z);
    gl_FragColor = vec4(mix(sky, horizon, pow(1.0 - up, 4.0)), 1.0);
    #include <colorspace_fragment>
  }`;

export class Sky {
  constructor(scene) {
    this.scene = scene;
    this.ambient = new THREE.HemisphereLight();
    this.ambient.position.set(0, 0, 1);
    this.lights = new THREE.Group();
    this.dome = new THREE.Mesh(
      new THREE.SphereGeometry(1, 32, 16),
      new THREE.ShaderMaterial({
        side: THREE.BackSide, depthWrite: false, fog: false,
        uniforms: { sky: { value: new THREE.Vector3() }, horizon: { value: new THREE.Vector3() } },
        vertexShader: "varying vec3 direction; void main() { direction = position; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }",
        fragmentShader: DOME,
      }),
    );
    this.dome.frustumCulled = false;
    this.dome.renderOrder = -10;
    scene.add(this.ambient, this.lights, this.dome);
    this.suns = [];
  }

  set(world) {
    this.ambient.color.setRGB(...world.ambient);
    this.ambient.groundColor.setRGB(...world.ambient.map((part) => UNDER * part));
    this.ambient.intensity = PI;
    this.lights.clear();
    this.suns = [];
    for (const row of world.lights) this.lights.add(...this.light(row));
    this.dome.material.uniforms.sky.value.fromArray(world.sky);
    this.dome.material.uniforms.horizon.value.fromArray(world.horizon);
    this.scene.fog = world.haze > 0 ? new THREE.FogExp2(new THREE.Color(...world.horizon), 0.8 * world.haze) : null;
  }

  light(row) {
    const colour = new THREE.Color(...row.colour);
    if (row.kind !== 0) {
      const lamp = row.kind === 1 ? new THREE.PointLight(colour, PI, row.range) : new THREE.SpotLight(colour, PI, row.range, PI / 6, 0.2);
      lamp.position.fromArray(row.position);
      if (row.kind === 1) return [lamp];
      lamp.target.position.fromArray(row.position).addScaledVector(new THREE.Vector3(...row.towards), -1);
      return [lamp, lamp.target];
    }
    const sun = new THREE.DirectionalLight(colour, PI);
    sun.userData.towards = new THREE.Vector3(...row.towards);
    if (row.shadows) {
      sun.castShadow = true;
      sun.shadow.mapSize.set(2048, 2048);
      sun.shadow.bias = -0.0004;
      sun.shadow.normalBias = 0.03;
      Object.assign(sun.shadow.camera, { left: -SHADOW_M, right: SHADOW_M, top: SHADOW_M, bottom: -SHADOW_M, near: 1, far: 260 });
    }
    this.suns.push(sun);
    return [sun, sun.target];
  }

  // Keep dome and shadows around what is looked at; in whole steps, so that edges do not swim.
  follow(camera, focus, shadows) {
    this.dome.position.copy(camera.position);
    this.dome.scale.setScalar(camera.far * 0.6);
    const step = (2 * SHADOW_M) / 64;
    for (const sun of this.suns) {
      sun.target.position.set(...focus.toArray().map((part) => step * Math.round(part / step)));
      sun.position.copy(sun.target.position).addScaledVector(sun.userData.towards, 120);
      sun.castShadow = shadows && sun.shadow !== undefined && sun.shadow.mapSize.x > 512;
    }
  }

  setPlain(plain) { this.dome.visible = !plain; this.scene.background = plain ? new THREE.Color(0x14171c) : null; }
}
