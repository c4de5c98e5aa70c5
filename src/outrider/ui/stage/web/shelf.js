// Geometries, textures and materials by their keys: what was fetched once is not fetched again.
import { THREE } from "nicegui-scene";

const DETAIL_MEAN = "0.21404"; // linear light of half grey: a detail picture of that changes nothing

export function unpack(data) {
  const length = new DataView(data).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length)));
  let at = 4 + length;
  const take = (Kind, count) => { const array = new Kind(data, at, count); at += array.byteLength; return array; };
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(take(Float32Array, 3 * head.vertices), 3));
  const normals = new THREE.InterleavedBuffer(take(Int8Array, 4 * head.vertices), 4);
  geometry.setAttribute("normal", new THREE.InterleavedBufferAttribute(normals, 3, 0, true));
  if (head.uv) geometry.setAttribute("uv", new THREE.BufferAttribute(take(Float32Array, 2 * head.vertices), 2));
  geometry.setIndex(new THREE.BufferAttribute(take(Uint32Array, head.indices), 1));
  geometry.userData.owners = head.owners;
  return geometry;
}

// Geometries that are fetched before there is a shelf to put them on.
const early = new Map();
const fetched = (key) => fetch(`/outrider/mesh/${key}`).then((answer) => answer.arrayBuffer()).then(unpack);

// Pictures come small at first, so that the scene is soon to be seen, and in full after that.
const pictures = new Map();
async function picture(address) {
  const image = new Image();
  image.src = `/outrider/picture/${address}`;
  await image.decode();
  return image;
}
function small(key) {
  if (!pictures.has(key)) pictures.set(key, picture(`${key}?small=true`).catch(() => null));
  return pictures.get(key);
}

export function preload(manifest) {
  for (const { parts } of manifest.groups) {
    for (const { mesh, looks } of parts) {
      if (mesh) early.set(mesh, fetched(mesh));
      for (const key of [looks.texture, looks.detail]) if (key) small(key);
    }
  }
}

export class Shelf {
  constructor(renderer) {
    this.sharpness = renderer.capabilities.getMaxAnisotropy();
    this.geometries = new Map();
    this.textures = new Map();
    this.materials = new Map();
    this.used = new Set();
    this.wireframe = false;
    this.coming = []; // small pictures
    this.seen = new Promise((resolve) => { this.wasSeen = resolve; }); // the first picture
    this.queue = this.seen;
  }

  async geometry(key) {
    this.used.add(key);
    if (!this.geometries.has(key)) {
      this.geometries.set(key, early.get(key) ?? fetched(key));
      early.delete(key);
    }
    return this.geometries.get(key);
  }

  // Let go of what the last load did not ask for.
  tidy() {
    for (const [key, made] of this.geometries) {
      if (this.used.has(key)) continue;
      made.then((geometry) => geometry.dispose());
      this.geometries.delete(key);
    }
    this.used.clear();
  }

  texture(key, colour) {
    if (!this.textures.has(key)) {
      const texture = new THREE.Texture();
      texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
      texture.anisotropy = Math.min(8, this.sharpness);
      if (colour) texture.colorSpace = THREE.SRGBColorSpace;
      this.textures.set(key, texture);
      this.coming.push(small(key).then((image) => image && show(texture, image)));
      this.queue = this.queue.then(() => picture(key)).then((image) => show(texture, image)).catch(() => {});
    }
    return this.textures.get(key);
  }

  // Wait until everything that was asked for has its colours.
  async coloured() { await Promise.all(this.coming.splice(0)); }

  // A ground's light is that of its upper side: coarse tiles have slivers that face down.
  material(looks, ground = false) {
    const key = JSON.stringify([looks, ground]);
    if (this.materials.has(key)) return this.materials.get(key);
    const [r, g, b, opacity] = looks.colour;
    const material = new THREE.MeshLambertMaterial({ side: THREE.DoubleSide, wireframe: this.wireframe });
    if (looks.texture) {
      material.map = this.texture(looks.texture, true);
      if (looks.alpha === "MASK") material.alphaTest = 0.5;
      if (looks.alpha === "BLEND") blend(material);
    } else {
      material.color.setRGB(r, g, b, THREE.SRGBColorSpace);
    }
    if (opacity < 0.999) { blend(material); material.opacity = opacity; }
    const detail = looks.detail ? this.texture(looks.detail, true) : null;
    if (detail || ground) patch(material, detail, looks.repeat, ground);
    this.materials.set(key, material);
    return material;
  }

  setWireframe(on) {
    this.wireframe = on;
    for (const material of this.materials.values()) material.wireframe = on;
  }
}

// What lies on a solid surface is before it; nothing is hidden behind what one sees through.
function blend(material) {
  Object.assign(material, { transparent: true, depthWrite: false });
  Object.assign(material, { polygonOffset: true, polygonOffsetFactor: -1, polygonOffsetUnits: -16 });
}

function show(texture, image) {
  texture.dispose(); // its size may be another
  texture.image = image;
  texture.needsUpdate = true;
}

function patch(material, picture, [u, v], ground) {
  material.onBeforeCompile = (shader) => {
    if (ground) {
      const upward = THREE.ShaderChunk.normal_fragment_begin.replace("gl_FrontFacing ? 1.0 : - 1.0", "1.0");
      shader.fragmentShader = shader.fragmentShader.replace("#include <normal_fragment_begin>", upward);
    }
    if (!picture) return;
    shader.uniforms.detailMap = { value: picture };
    shader.uniforms.detailRepeat = { value: new THREE.Vector2(u, v) };
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", "#include <common>\nuniform sampler2D detailMap;\nuniform vec2 detailRepeat;")
      .replace("#include <map_fragment>", `#include <map_fragment>
        diffuseColor.rgb *= texture2D(detailMap, vMapUv * detailRepeat).rgb / ${DETAIL_MEAN};`);
  };
  material.customProgramCacheKey = () => `${picture ? "detail" : ""}${ground ? "ground" : ""}`;
}
