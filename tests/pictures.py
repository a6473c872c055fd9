"""Compares the pictures stored in a notebook with those of a fresh execution."""

import base64
import io

import numpy as np
from PIL import Image

#: A pixel differs if a channel does by more than LEVEL of 255; pictures agree if at most SHARE of the pixels differ.
LEVEL, SHARE = 64, 0.0005


def pictures(outputs):
    """Returns the PNG pictures among the outputs of a cell, as bytes, in order."""
    found = [output.get("data", {}).get("image/png") for output in outputs]
    return [base64.b64decode(encoded) for encoded in found if encoded]


def pixels(picture):
    """Returns the pixels of a PNG laid on white, shape (height, width, 3)."""
    image = Image.open(io.BytesIO(picture)).convert("RGBA")
    white = Image.new("RGBA", image.size, "white")
    return np.asarray(Image.alpha_composite(white, image).convert("RGB"), dtype=int)


def difference(stored, fresh):
    """Returns in words how two PNG pictures differ, or "" if they agree within the tolerance."""
    stored, fresh = pixels(stored), pixels(fresh)
    if stored.shape != fresh.shape:
        sizes = [f"{shape[1]} x {shape[0]}" for shape in (stored.shape, fresh.shape)]
        return f"the stored one has {sizes[0]} pixels, the fresh one {sizes[1]}"
    share = np.mean(np.any(np.abs(stored - fresh) > LEVEL, axis=-1))
    return f"{share:.2%} of the pixels differ (allowed: {SHARE:.2%})" if share > SHARE else ""


def compare(stored, fresh):
    """Returns in words how the pictures among a cell's stored and fresh outputs differ, or "" if they agree."""
    stored, fresh = pictures(stored), pictures(fresh)
    if len(stored) != len(fresh):
        return f"the cell has {len(stored)} stored and {len(fresh)} fresh pictures"
    found = [(number, difference(*pair)) for number, pair in enumerate(zip(stored, fresh, strict=True), 1)]
    return "; ".join(f"picture {number}: {words}" for number, words in found if words)
