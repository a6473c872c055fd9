"""Compares the pictures stored in a notebook with those of a fresh execution.

Strong ink is compared pixel by pixel. Pale areas, thin lines and small print are seen in the means of blocks: a fresh
picture, reduced to few colors as it would be stored, has the means of the stored one to the last digit on one machine,
and the change of one number in a legend moves the mean of a block by 10 levels.
"""

import base64
import io

import numpy as np
from PIL import Image

from press.execution import shrink

#: A pixel differs if a channel does by more than LEVEL of 255; pictures agree if at most SHARE of the pixels differ.
LEVEL, SHARE = 64, 0.0005
#: The mean of a channel over a block of BLOCK x BLOCK pixels may differ by at most MEAN of 255.
BLOCK, MEAN = 16, 4


def pictures(outputs):
    """Returns the PNG pictures among the outputs of a cell, in base64, in order."""
    found = [output.get("data", {}).get("image/png") for output in outputs]
    return [encoded for encoded in found if encoded]


def pixels(picture):
    """Returns the pixels of a PNG laid on white, shape (height, width, 3)."""
    image = Image.open(io.BytesIO(picture)).convert("RGBA")
    white = Image.new("RGBA", image.size, "white")
    return np.asarray(Image.alpha_composite(white, image).convert("RGB"), dtype=int)


def means(pixels):
    """Returns the means over blocks, shape (rows, columns, 3); those at the right and below reach over the edge."""
    high, wide = (-(-size // BLOCK) for size in pixels.shape[:2])
    missing = [(0, high * BLOCK - pixels.shape[0]), (0, wide * BLOCK - pixels.shape[1]), (0, 0)]
    return np.pad(pixels, missing, mode="edge").reshape(high, BLOCK, wide, BLOCK, 3).mean(axis=(1, 3))


def difference(stored, fresh):
    """Returns in words how two PNG pictures differ, or "" if they agree within the tolerance."""
    stored, fresh = pixels(stored), pixels(fresh)
    if stored.shape != fresh.shape:
        sizes = [f"{shape[1]} x {shape[0]}" for shape in (stored.shape, fresh.shape)]
        return f"the stored one has {sizes[0]} pixels, the fresh one {sizes[1]}"
    share = np.mean(np.any(np.abs(stored - fresh) > LEVEL, axis=-1))
    if share > SHARE:
        return f"{share:.2%} of the pixels differ (allowed: {SHARE:.2%})"
    moved = np.abs(means(stored) - means(fresh)).max(axis=-1)
    row, column = (BLOCK * place for place in np.unravel_index(moved.argmax(), moved.shape))
    words = f"the block at {column}, {row} differs by {moved.max():.1f} levels (allowed: {MEAN})"
    return words if moved.max() > MEAN else ""


def compare(stored, fresh):
    """Returns in words how the pictures among a cell's stored and fresh outputs differ, or "" if they agree."""
    stored, fresh = pictures(stored), list(map(shrink, pictures(fresh)))
    if len(stored) != len(fresh):
        return f"the cell has {len(stored)} stored and {len(fresh)} fresh pictures"
    found = [
        (number, difference(*map(base64.b64decode, pair)))
        for number, pair in enumerate(zip(stored, fresh, strict=True), 1)
    ]
    return "; ".join(f"picture {number}: {words}" for number, words in found if words)
