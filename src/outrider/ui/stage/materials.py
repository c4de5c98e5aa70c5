"""Materials as a browser needs them; images are referred to by keys, never by paths."""

from hashlib import blake2b

import numpy as np

from outrider.core.cache import Arrays, cached, content_key
from outrider.formats.picture import EncodedPicture, picture, small_picture
from outrider.formats.textures import alpha_mode
from outrider.world.materials import Material

Looks = dict[str, object]

_SMALL = 256  # pixels
_MOST_KEPT = 500


class MaterialList:
    """The images that pages may request: those of materials on display, and no others."""

    def __init__(self) -> None:
        self._paths: dict[str, str] = {}
        self._alpha_modes: dict[str, str] = {}

    def looks(self, material: Material) -> Looks:
        """Return a material's colour (sRGB), image with its alpha mode, and detail."""
        texture = self._key(material.texture)
        return {
            "name": material.name,
            "colour": list(material.colour),
            "texture": texture,
            "alpha": self._alpha_modes.get(texture, "OPAQUE"),
            "detail": self._key(material.detail) if texture else "",
            "repeat": list(material.detail_repeat),
        }

    def picture(self, key: str) -> EncodedPicture | None:
        """Return the image with a key."""
        path = self._paths.get(key)
        return None if path is None else picture(path)

    def small(self, key: str) -> EncodedPicture | None:
        """Return a small version of the image with a key, which is there sooner; kept on disk."""
        found = self.picture(key)
        if found is None:
            return None

        def made() -> Arrays:
            less = small_picture(found, _SMALL)
            return {"data": np.frombuffer(less.data, np.uint8), "mime": np.array(less.mime)}

        kept = cached("thumbnails", content_key(found.data, _SMALL), made, most=_MOST_KEPT)
        return EncodedPicture(kept["data"].tobytes(), str(kept["mime"]))

    def _key(self, path: str) -> str:
        if not path:
            return ""
        key = blake2b(path.encode(), digest_size=8).hexdigest()
        if key not in self._paths:
            found = picture(path)
            if found is None:
                return ""
            self._paths[key], self._alpha_modes[key] = path, alpha_mode(path, found)
        return key
