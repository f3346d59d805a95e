# SPDX-License-Identifier: MIT
"""What the notebooks of the gallery (notebooks/gallery) show with: arrays as pictures, and as films.

    from gridcell.gallery import film, picture
    film(frames, colors="inferno")

A film is an animated PNG, which browsers play and a page of the documentation keeps. An array of two axes is coloured
by one of Matplotlib's maps, one of three (rows, columns, red-green-blue, of uint8) is shown as it is.
"""
import struct
import zlib

import numpy as np

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_RGB, _PALETTE = 2, 3  # PNG's types of colour
_LEFT, _ABOVE = 1, 2  # PNG's filters of a line: less the pixel to the left, less the line above


class Film:
    """Pictures one after the other: what a cell shows, and save() writes."""

    def __init__(self, png, count, shape):
        self.png, self.count, self.shape = png, count, shape

    def __repr__(self):
        rows, columns = self.shape
        return f"<{f'a film of {self.count} pictures' if self.count > 1 else 'a picture'}, {columns} x {rows}>"

    def _repr_png_(self):
        return self.png

    def save(self, path):
        """Writes the film to a file, an animated PNG."""
        with open(path, "wb") as file:
            file.write(self.png)


def _checked(frames):
    """The frames as arrays of the host, all of one shape."""
    frames = [np.asarray(frame) for frame in frames]
    if not frames:
        raise ValueError("film: there are no frames")
    first = frames[0]
    for number, frame in enumerate(frames):
        if (frame.shape, frame.dtype) != (first.shape, first.dtype):
            raise ValueError(f"film: frame {number} is {frame.dtype}{frame.shape}, the first one "
                             f"{first.dtype}{first.shape}: they have to be alike")
    is_colour = first.ndim == 3 and first.shape[2] == 3 and first.dtype == np.uint8
    if not is_colour and (first.ndim != 2 or first.dtype.kind not in "biuf"):
        raise ValueError("film: a frame has the axes (rows, columns), or (rows, columns, 3) and the type uint8; "
                         f"these are {first.dtype}{first.shape}")
    if not first.size:
        raise ValueError(f"film: frames of the shape {first.shape} have no pixels")
    return frames


def _check_options(zoom, seconds, **ends):
    if zoom != int(zoom) or zoom < 1:
        raise ValueError(f"film: zoom is {zoom}, it has to be a whole number from 1 on")
    if not 0 <= seconds < 65.5:
        raise ValueError(f"film: seconds is {seconds}, a frame stays for 0 to 65 of them")
    for name, end in ends.items():
        if end is not None and not np.isfinite(end):
            raise ValueError(f"film: {name} is {end}, it has to be a finite number")


def _ends(frames, low, high):
    """The least and the greatest finite value, where they are not given."""
    values = [frame[np.isfinite(frame)] for frame in frames]
    values = [finite for finite in values if finite.size]
    if low is None:
        low = min((finite.min() for finite in values), default=0)
    if high is None:
        high = max((finite.max() for finite in values), default=0)
    return float(low), float(high)


def _palette(colors):
    import matplotlib
    if colors not in matplotlib.colormaps:
        raise ValueError(f"film: colors is {colors!r}, which is none of the maps in matplotlib.colormaps")
    return matplotlib.colormaps[colors](np.arange(256), bytes=True)[:, :3].tobytes()


def _scaled(frame, low, high):
    """The values from low to high as 0 to 255; what is NaN is 0."""
    if high <= low:
        return np.zeros(frame.shape, np.uint8)
    share = np.clip((frame.astype(np.float64) - low) / (high - low), 0, 1)
    return np.rint(np.nan_to_num(share) * 255).astype(np.uint8)


def _chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _filtered(pixels):
    """Each line (rows, columns, channels) by that of three filters which leaves the least: as it is, less the pixel to
    the left, less the line above. The numbers of the filters, and what they leave."""
    left, above = pixels.copy(), pixels.copy()
    left[:, 1:] -= pixels[:, :-1]
    above[1:] -= pixels[:-1]
    ways = np.stack([pixels, left, above])
    best = np.abs(ways.view(np.int8).astype(np.int16)).sum(axis=(2, 3)).argmin(axis=0)
    return best, ways[best, np.arange(len(pixels))]


def _packed(pixels, zoom):
    """A frame's compressed lines. What is repeated does not differ from what is to the left, or above."""
    rows, columns = pixels.shape[:2]
    best, differences = _filtered(pixels.reshape(rows, columns, -1))
    wide = differences.repeat(zoom, axis=1)
    wide[(best == _LEFT)[:, None] & (np.arange(columns * zoom) % zoom > 0)] = 0
    lines = np.zeros((rows, zoom, 1 + wide[0].size), np.uint8)
    lines[:, 0, 0], lines[:, 1:, 0] = best, _ABOVE
    lines[:, 0, 1:] = wide.reshape(rows, -1)
    return zlib.compress(lines.tobytes(), 6)


def _encoded(frames, zoom, milliseconds, palette):
    """The frames of uint8 as an animated PNG: https://www.w3.org/TR/png-3/"""
    rows, columns = frames[0].shape[0] * zoom, frames[0].shape[1] * zoom
    kind = _RGB if palette is None else _PALETTE
    chunks = [_chunk(b"IHDR", struct.pack(">IIBBBBB", columns, rows, 8, kind, 0, 0, 0))]
    if len(frames) > 1:
        chunks.append(_chunk(b"acTL", struct.pack(">II", len(frames), 0)))
    if palette is not None:
        chunks.append(_chunk(b"PLTE", palette))
    order = 0
    for number, frame in enumerate(frames):
        data = _packed(frame, zoom)
        if len(frames) > 1:
            chunks.append(_chunk(b"fcTL", struct.pack(">IIIIIHHBB", order, columns, rows, 0, 0, milliseconds, 1000, 0, 0)))
            order += 1
        if number == 0:
            chunks.append(_chunk(b"IDAT", data))
        else:
            chunks.append(_chunk(b"fdAT", struct.pack(">I", order) + data))
            order += 1
    return _SIGNATURE + b"".join(chunks) + _chunk(b"IEND", b"")


def film(frames, colors="magma", low=None, high=None, zoom=1, seconds=0.05):
    """A film of arrays that are alike.

    colors: a colour map of Matplotlib. low and high: the values that have its first and last colour; by default the
    least and the greatest of all frames. zoom: how many pixels wide and high an item is. seconds: for each frame.
    """
    _check_options(zoom, seconds, low=low, high=high)
    frames, palette = _checked(frames), None
    if frames[0].ndim == 2:
        palette = _palette(colors)
        low, high = _ends(frames, low, high)
        frames = [_scaled(frame, low, high) for frame in frames]
    zoom = int(zoom)
    png = _encoded(frames, zoom, round(1000 * seconds), palette)
    return Film(png, len(frames), (frames[0].shape[0] * zoom, frames[0].shape[1] * zoom))


def picture(array, **options):
    """One array, with the options of film(). Its .png are the bytes that ipywidgets.Image(value=...) takes."""
    return film([array], **options)
