"""Images: every format gives its exact colours; damaged and giant ones give a sentence."""

import numpy as np
import pytest
from PIL import Image

from outrider.core.errors import FormatError
from outrider.formats.textures import MAX_SIDE, load_texture, texture_info

COLOURS = np.array(
    [[[255, 0, 0, 255], [0, 255, 0, 255]], [[0, 0, 255, 255], [17, 99, 201, 255]]], np.uint8
)


@pytest.mark.parametrize("suffix", ["png", "bmp", "tga", "tiff", "gif", "webp", "ppm"])
def test_colours_are_exact_in_formats_that_lose_nothing(tmp_path, suffix):
    path = tmp_path / f"a.{suffix}"
    options = {"lossless": True} if suffix == "webp" else {}
    Image.fromarray(COLOURS[..., :3]).save(path, **options)
    assert texture_info(path)[:2] == (2, 2)
    np.testing.assert_array_equal(load_texture(path), COLOURS)


def test_a_jpeg_is_close(tmp_path):
    path = tmp_path / "a.jpg"
    Image.new("RGB", (16, 16), (200, 100, 50)).save(path, quality=95)
    assert np.abs(load_texture(path).astype(int) - [200, 100, 50, 255]).max() <= 2


@pytest.mark.parametrize("suffix", ["png", "tga", "tiff"])
def test_opacity_is_kept(tmp_path, suffix):
    pixels = COLOURS.copy()
    pixels[..., 3] = [[0, 1], [128, 254]]
    path = tmp_path / f"a.{suffix}"
    Image.fromarray(pixels).save(path)
    assert texture_info(path).mode == "RGBA"
    np.testing.assert_array_equal(load_texture(path), pixels)


def test_palettes_with_a_transparent_colour_are_resolved(tmp_path):
    image = Image.new("P", (2, 1))
    image.putpalette([10, 20, 30, 200, 100, 0])
    image.putdata([0, 1])
    path = tmp_path / "a.png"
    image.save(path, transparency=1)
    assert texture_info(path).mode == "P"
    assert load_texture(path)[0].tolist() == [[10, 20, 30, 255], [200, 100, 0, 0]]


@pytest.mark.parametrize("suffix", ["png", "tiff"])
def test_sixteen_bits_become_the_nearest_eight(tmp_path, suffix):
    levels = np.array([[0, 257, 32768, 65535], [128, 129, 65407, 65406]], np.uint16)
    path = tmp_path / f"a.{suffix}"
    Image.fromarray(levels).save(path)
    expected = np.rint(levels / 257).astype(int)
    np.testing.assert_array_equal(load_texture(path)[..., 0], expected)
    np.testing.assert_array_equal(load_texture(path)[..., 3], 255)


def test_grey_black_and_white_and_grey_with_opacity_are_read(tmp_path):
    Image.new("L", (1, 1), 77).save(tmp_path / "l.png")
    Image.new("1", (1, 1), 1).save(tmp_path / "b.png")
    Image.new("LA", (1, 1), (77, 5)).save(tmp_path / "la.png")
    assert load_texture(tmp_path / "l.png")[0, 0].tolist() == [77, 77, 77, 255]
    assert load_texture(tmp_path / "b.png")[0, 0].tolist() == [255, 255, 255, 255]
    assert load_texture(tmp_path / "la.png")[0, 0].tolist() == [77, 77, 77, 5]


def test_a_moving_gif_shows_its_first_frame(tmp_path):
    frames = [Image.new("RGB", (2, 2), colour) for colour in ((255, 0, 0), (0, 255, 0))]
    path = tmp_path / "a.gif"
    frames[0].save(path, save_all=True, append_images=frames[1:])
    assert load_texture(path)[0, 0].tolist() == [255, 0, 0, 255]


def test_large_images_are_read_beyond_pillow_s_own_limit(tmp_path):
    path = tmp_path / "a.png"
    Image.new("1", (19_000, 12_000)).save(
        path, compress_level=1
    )  # 228 million pixels: more than Pillow lets in
    limit = Image.MAX_IMAGE_PIXELS
    assert texture_info(path) == (19_000, 12_000, "1")
    assert limit == Image.MAX_IMAGE_PIXELS
    Image.new("L", (8192, 8192), 9).save(path, compress_level=1)
    pixels = load_texture(path)
    assert pixels.shape == (8192, 8192, 4)
    assert pixels[-1, -1].tolist() == [9, 9, 9, 255]


def test_an_image_wider_than_can_be_is_refused_before_it_is_unpacked(tmp_path):
    path = tmp_path / "a.png"
    Image.new("1", (MAX_SIDE + 1, 1)).save(path)
    with pytest.raises(FormatError, match=r"a\.png: an image of 20001 x 1 pixels is larger than"):
        load_texture(path)


def test_missing_foreign_and_cut_files_end_in_a_sentence(tmp_path):
    with pytest.raises(FormatError, match=r"gone\.png: there is no such image"):
        load_texture(tmp_path / "gone.png")
    path = tmp_path / "a.png"
    path.write_bytes(b"%!PS-Adobe-3.0 EPSF-3.0\n")
    with pytest.raises(FormatError, match=r"a\.png: not an image that is read here \(PNG, JPEG"):
        load_texture(path)
    Image.fromarray(np.random.default_rng(0).integers(0, 255, (64, 64, 3), np.uint8)).save(path)
    path.write_bytes(path.read_bytes()[:3000])
    with pytest.raises(FormatError, match=r"a\.png: the image cannot be read"):
        load_texture(path)


@pytest.mark.filterwarnings("ignore")  # Pillow warns of odd TIFF tags
@pytest.mark.parametrize("suffix", ["png", "jpg", "bmp", "tga", "tiff", "gif"])
def test_damaged_images_are_read_or_refused(tmp_path, suffix):
    path = tmp_path / f"a.{suffix}"
    Image.fromarray(COLOURS[..., :3]).resize((9, 7)).save(path)
    whole = path.read_bytes()
    random = np.random.default_rng(3)
    refused = []
    for _ in range(200):
        data = bytearray(whole)
        for place in random.integers(0, len(data), random.integers(1, 4)):
            data[place] = random.integers(0, 256)
        path.write_bytes(
            data[: random.integers(1, len(data) + 1)] if random.random() < 0.3 else data
        )
        try:
            assert load_texture(path).shape[2] == 4
        except FormatError as error:
            refused.append(str(error))
    assert refused
    assert all(sentence.startswith(str(path)) for sentence in refused)
