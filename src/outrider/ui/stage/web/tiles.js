// A very large mesh in tiles: all of them coarse, those near the camera in full.
import { THREE } from "nicegui-scene";
import { unpack } from "./shelf.js";

const NEAR_M = 130;
const MOST_AT_ONCE = 4; // requests under way

export class Tiles {
  static async make(row, material, shelf) {
    const tiles = new Tiles();
    tiles.key = row.tiles;
    tiles.material = material;
    tiles.group = new THREE.Group();
    tiles.group.userData.body = -1;
    tiles.asking = 0;
    const coarse = await Promise.all(row.boxes.map((_, i) => shelf.geometry(`${row.tiles}.${i}.coarse`)));
    tiles.all = row.boxes.map((box, i) => {
      const mesh = new THREE.Mesh(coarse[i], material);
      mesh.castShadow = mesh.receiveShadow = true;
      tiles.group.add(mesh);
      return { mesh, coarse: coarse[i], fine: null, asked: false, number: i,
        box: new THREE.Box3(new THREE.Vector3(...box.slice(0, 3)), new THREE.Vector3(...box.slice(3))) };
    });
    return tiles;
  }

  choose(eye) {
    for (const tile of this.all) {
      const near = tile.box.distanceToPoint(eye) < NEAR_M;
      if (near && !tile.fine && !tile.asked && this.asking < MOST_AT_ONCE) this.fetch(tile);
      const wanted = near && tile.fine ? tile.fine : tile.coarse;
      if (tile.mesh.geometry !== wanted) tile.mesh.geometry = wanted;
      if (!near && tile.fine && tile.box.distanceToPoint(eye) > 3 * NEAR_M) { tile.fine.dispose(); tile.fine = null; tile.asked = false; }
    }
  }

  async fetch(tile) {
    tile.asked = true;
    this.asking += 1;
    try {
      const answer = await fetch(`/outrider/mesh/${this.key}.${tile.number}.fine`);
      if (answer.ok) tile.fine = unpack(await answer.arrayBuffer());
    } finally { this.asking -= 1; }
  }
}
