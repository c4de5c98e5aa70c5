"""Images as files that other programs take: PNG and JPEG as they are, all others as PNG."""

import io
from pathlib import Path
from typing import NamedTuple

_PNG, _JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"
_COLOUR_TYPE = 25  # where a PNG says what its pixels hold
_WITH_ALPHA = (4, 6)


class EncodedPicture(NamedTuple):
    """The bytes of an image file, and what kind it is."""

    data: bytes
    mime: str

    @property
    def cut_out(self) -> bool:
        """Whether pixels have an opacity of their own."""
        if self.mime != "image/png" or len(self.data) <= _COLOUR_TYPE:
            return False
        return self.data[_COLOUR_TYPE] in _WITH_ALPHA or b"tRNS" in self.data[:4096]


def picture(path: str) -> EncodedPicture | None:
    """Return an image as PNG or JPEG; None if there is none or nothing here can read it."""
    try:
        data = Path(path).read_bytes()
    except OSError:
        return None
    if data.startswith(_PNG):
        return EncodedPicture(data, "image/png")
    if data.startswith(_JPEG):
        return EncodedPicture(data, "image/jpeg")
    return _converted(data)


def small_picture(found: EncodedPicture, side: int) -> EncodedPicture:
    """Return an image of at most so many pixels along a side; the same if it cannot be done."""
    try:
        from PIL import Image
    except ImportError:
        return found
    out = io.BytesIO()
    try:
        with Image.open(io.BytesIO(found.data)) as image:
            if max(image.size) <= side:
                return found
            kind = "PNG" if found.cut_out else "JPEG"
            less = image.convert("RGBA" if found.cut_out else "RGB")
            less.thumbnail((side, side))
            less.save(out, kind)
    except Exception:  # whatever a third party's readers throw at a bad file
        return found
    return EncodedPicture(out.getvalue(), f"image/{kind.lower()}")


def png_bytes(path: str) -> bytes | None:
    """Return an image as PNG, or None."""
    found = picture(path)
    if found is not None and found.mime != "image/png":
        found = _converted(found.data)
    return None if found is None else found.data


def _converted(data: bytes) -> EncodedPicture | None:
    try:
        from PIL import Image
    except ImportError:
        return None
    out = io.BytesIO()
    try:
        with Image.open(io.BytesIO(data)) as image:
            mode = "RGBA" if "A" in image.getbands() or "transparency" in image.info else "RGB"
            image.convert(mode).save(out, "PNG")
    except Exception:  # whatever a third party's readers throw at a bad file
        return None
    return EncodedPicture(out.getvalue(), "image/png")
