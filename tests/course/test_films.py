"""Films of arrays: what Pillow reads out of them is what the arrays hold."""
import io

import numpy as np
import pytest
from PIL import Image

import gridcell

gridcell.activate()
from gridcell.gallery import film, picture
from numba import cuda

rng = np.random.default_rng()


def frames_of(shown):
    image = Image.open(io.BytesIO(shown.png))
    for number in range(shown.count):
        image.seek(number)
        yield np.asarray(image.convert("RGB"))
    assert getattr(image, "n_frames", 1) == shown.count


def grown(array, zoom):
    return array.repeat(zoom, axis=0).repeat(zoom, axis=1)


@pytest.mark.parametrize("zoom", [1, 3])
@pytest.mark.parametrize("shape", [(1, 1, 3), (1, 7, 3), (6, 1, 3), (13, 9, 3)])
def test_colours_are_shown_as_they_are(shape, zoom):
    """Noise, stripes along and across, and a slope: each the case of another filter."""
    slope = np.add.outer(np.arange(shape[0]), 3 * np.arange(shape[1]))[..., None] + np.arange(3)
    frames = [rng.integers(0, 256, shape), np.broadcast_to(rng.integers(0, 256, (shape[0], 1, 1)), shape),
              np.broadcast_to(rng.integers(0, 256, (shape[1], 1)), shape), slope % 256]
    frames = [frame.astype(np.uint8) for frame in frames]
    shown = film(frames, zoom=zoom)
    for seen, frame in zip(frames_of(shown), frames, strict=True):
        np.testing.assert_array_equal(seen, grown(frame, zoom))
    assert shown.shape == (shape[0] * zoom, shape[1] * zoom)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int64", "float32", "float64"])
def test_values_are_coloured_from_the_least_to_the_greatest(dtype):
    frames = [(rng.random((5, 8)) * 100).astype(dtype) for _ in range(3)]
    frames[0][0, 0], frames[2][-1, -1] = 0, 100
    values = np.array(frames).astype(float)
    for seen, value in zip(frames_of(film(frames, colors="gray")), values / values.max(), strict=True):
        assert np.abs(seen[..., 0] / 255.0 - value).max() < 0.01


def test_ends_are_cut_off_and_what_is_no_number_is_low():
    frame = np.array([[-9.0, 0.0, 0.5], [1.0, np.inf, np.nan]])
    seen, = frames_of(picture(frame, colors="gray", low=0, high=1))
    assert_grey(seen, [[0, 0, 128], [255, 255, 0]])
    assert not np.any(list(frames_of(picture(np.full((2, 2), np.nan), colors="gray"))))
    assert not np.any(list(frames_of(picture(np.full((2, 2), 7), colors="gray"))))


def assert_grey(seen, values):
    """By one: Matplotlib's map of greys is not quite even."""
    assert np.abs(seen[..., 0].astype(int) - values).max() <= 1


def test_views_device_arrays_and_generators():
    base = rng.integers(0, 256, (8, 10), dtype=np.uint8)
    views = [base[::-1, ::2], base[:, 4::-1], np.asfortranarray(base)[:, :5]]
    shown = film((view for view in views), colors="gray", low=0, high=255)
    for seen, view in zip(frames_of(shown), views, strict=True):
        assert_grey(seen, view)
    seen, = frames_of(picture(cuda.to_device(base), colors="gray", low=0, high=255))
    assert_grey(seen, base)


def test_a_film_in_a_cell_and_in_a_file(tmp_path):
    shown = film([np.eye(4), np.zeros((4, 4))], zoom=2, seconds=0.25)
    assert repr(shown) == "<a film of 2 pictures, 8 x 8>" and shown._repr_png_() == shown.png
    shown.save(tmp_path / "film.png")
    with Image.open(tmp_path / "film.png") as image:
        assert (image.n_frames, image.info["duration"], image.info["loop"]) == (2, 250, 0)
    assert repr(picture(np.eye(3))) == "<a picture, 3 x 3>"


@pytest.mark.parametrize("frames,options,error", [
    ([], {}, "there are no frames"),
    ([np.zeros((2, 2)), np.zeros((2, 3))], {}, r"frame 1 is float64\(2, 3\), the first one float64\(2, 2\)"),
    ([np.zeros((2, 2)), np.zeros((2, 2), np.int8)], {}, r"frame 1 is int8\(2, 2\)"),
    ([np.zeros(3)], {}, r"these are float64\(3,\)"), ([np.zeros((2, 2, 3))], {}, "the type uint8"),
    ([np.zeros((2, 2), complex)], {}, "complex128"), ([np.full((2, 2), "a")], {}, "<U1"),
    ([np.zeros((0, 2))], {}, r"of the shape \(0, 2\) have no pixels"),
    ([np.zeros((2, 2))], {"zoom": 0}, "zoom is 0"), ([np.zeros((2, 2))], {"zoom": 1.5}, "zoom is 1.5"),
    ([np.zeros((2, 2))], {"seconds": -1}, "seconds is -1"), ([np.zeros((2, 2))], {"seconds": 66}, "seconds is 66"),
    ([np.zeros((2, 2))], {"low": np.nan}, "low is nan"), ([np.zeros((2, 2))], {"colors": "sky"}, "sky"),
])
def test_what_cannot_be_shown_is_said(frames, options, error):
    with pytest.raises(ValueError, match=error):
        film(frames, **options)
