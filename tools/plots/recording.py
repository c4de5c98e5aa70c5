"""Draws docs/images/recording_kitti.png: a recorded cloud on its image, by the recording alone.

Usage: python tools/plots/recording.py RECORDING.kitti [FRAME]
"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

OUT = Path(__file__).parents[2] / "docs" / "images" / "recording_kitti.png"


def main() -> None:
    """Project the cloud as KITTI's own development kit does."""
    folder = Path(sys.argv[1]) / "sequences" / "00"
    frame = f"{int(sys.argv[2]) if len(sys.argv) > 2 else 0:06d}"
    image = np.asarray(Image.open(folder / "image_2" / f"{frame}.png"))
    points = np.fromfile(folder / "velodyne" / f"{frame}.bin", np.float32).reshape(-1, 4)
    lines = (folder / "calib.txt").read_text().splitlines()
    given = {line.split(":")[0]: np.array(line.split()[1:], float).reshape(3, 4) for line in lines}
    in_camera = given["Tr"] @ np.c_[points[:, :3], np.ones(len(points))].T
    ahead = in_camera[:, in_camera[2] > 0.5]
    u, v, w = given["P2"] @ np.vstack([ahead, np.ones(ahead.shape[1])])
    u, v, depth = u / w, v / w, ahead[2]
    seen = (u > 0) & (u < image.shape[1]) & (v > 0) & (v < image.shape[0])
    figure, (left, right) = plt.subplots(1, 2, figsize=(12, 4.4), width_ratios=[1.35, 1])
    left.imshow(image)
    shown = left.scatter(u[seen], v[seen], c=depth[seen], s=3, cmap="turbo_r", vmin=0, vmax=20)
    left.set_axis_off()
    left.set_title("left image and cloud of one frame, by calib.txt")
    figure.colorbar(shown, ax=left, label="distance, m", shrink=0.8)
    poses = np.loadtxt(folder.parents[2] / "poses" / "00.txt").reshape(-1, 3, 4)
    right.plot(poses[:, 0, 3], poses[:, 2, 3], "o-", ms=3)
    right.set(xlabel="x, m (right)", ylabel="z, m (ahead)", title="poses/00.txt", aspect="equal")
    right.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(OUT, dpi=100)


if __name__ == "__main__":
    main()
