"""A made-up stereo camera before a made-up wall: pictures whose geometry is known."""

import numpy as np

from outrider.messages import types as ros

WIDTH, HEIGHT, FOCAL, BASELINE = 640, 480, 400.0, 0.12
CX, CY = 320.0, 240.0


def infos(distortion: tuple[float, ...] = (0.0,) * 5) -> tuple[ros.CameraInfo, ros.CameraInfo]:
    """Return what both eyes say about themselves."""
    K = np.array([FOCAL, 0, CX, 0, FOCAL, CY, 0, 0, 1.0])

    def info(shift: float) -> ros.CameraInfo:
        P = np.array([FOCAL, 0, CX, shift, 0, FOCAL, CY, 0, 0, 0, 1.0, 0])
        roi = ros.message_class("sensor_msgs/msg/RegionOfInterest")(0, 0, 0, 0, False)
        return ros.CameraInfo(
            ros.header(0, "eye"),
            HEIGHT,
            WIDTH,
            "plumb_bob",
            np.array(distortion),
            K,
            np.eye(3).ravel(),
            P,
            0,
            0,
            roi,
        )

    return info(0.0), info(-FOCAL * BASELINE)


def texture(seed: int = 0, size: int = 1400) -> np.ndarray:
    """Return a blotchy picture of a wall."""
    import cv2

    noise = np.random.default_rng(seed).integers(0, 255, (size // 4, size // 4)).astype(np.uint8)
    large = cv2.resize(noise, (size, size), interpolation=cv2.INTER_CUBIC)
    return cv2.GaussianBlur(large, (0, 0), 1.5)


def wall(picture: np.ndarray, x: float, y: float, z: float, depth: float) -> np.ndarray:
    """Return what an eye at a place (optical axes) sees of a wall straight ahead."""
    import cv2

    # 100 pixels of the texture are a metre of the wall, whose middle is at x = y = 0
    scale = 100.0 * (depth - z) / FOCAL
    middle = picture.shape[0] / 2
    M = np.array(
        [[scale, 0, middle + 100 * x - scale * CX], [0, scale, middle + 100 * y - scale * CY]]
    )
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cv2.warpAffine(picture, M, (WIDTH, HEIGHT), flags=flags, borderMode=cv2.BORDER_REFLECT)


def image(picture: np.ndarray, stamp_ns: int) -> ros.Image:
    """Return a grey picture as a message."""
    return ros.Image(
        ros.header(stamp_ns, "eye"), HEIGHT, WIDTH, "mono8", 0, WIDTH, picture.reshape(-1)
    )


def frames() -> ros.TFMessage:
    """Return where the left eye is: in the robot's frame, looking ahead."""
    turned = ros.Quaternion(-0.5, 0.5, -0.5, 0.5)
    transform = ros.Transform(ros.Vector3(0.0, 0.0, 0.0), turned)
    return ros.TFMessage([ros.TransformStamped(ros.header(0, "base_link"), "eye", transform)])
