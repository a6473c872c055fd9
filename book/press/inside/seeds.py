"""Runs in a notebook's kernel before its first cell: mixes a master seed into every stream of random numbers.

A stream that a cell or the library would draw from a seed is drawn from (master, that seed) instead, so all streams
change, each to one of its own, and the same master gives the same streams again. What has no seed stays without one.
"""

import functools
import importlib.abc
import importlib.util
import sys

import numpy as np

#: Sets these streams apart from all that a seed of the book can give.
TAG = 0x5EED
BIT_GENERATORS = ("MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64")


def mix(master):
    """Makes every later generator draw from its seed and `master`; 0 and None leave all streams as they are."""
    if not master:
        return
    random, legacy_seed = np.random, np.random.seed
    for name in BIT_GENERATORS:
        setattr(random, name, _mixed_class(getattr(random, name), master))
    random.RandomState = _mixed_class(random.RandomState, master)
    random.default_rng = _mixed(random.default_rng, master)
    random.seed = functools.wraps(legacy_seed)(lambda seed=None: legacy_seed(_words(seed, master)))
    if importlib.util.find_spec("torch"):
        sys.meta_path.insert(0, _Torch(master))


def _entropy(seed, master):
    """Returns what a seed becomes: None and what is a generator already stay, as they have drawn their seed before."""
    if seed is None or isinstance(seed, np.random.BitGenerator | np.random.Generator | np.random.RandomState):
        return seed
    if isinstance(seed, np.random.SeedSequence):
        options = {"spawn_key": seed.spawn_key, "pool_size": seed.pool_size}
        return np.random.SeedSequence([TAG, master, *_flat(seed.entropy)], **options)
    return np.random.SeedSequence([TAG, master, *_flat(seed)])


def _flat(seed):
    return [int(word) for word in np.ravel(np.asarray(seed, dtype=object))]


def _words(seed, master):
    """Returns a seed for NumPy's older generators, which take words of 32 bits."""
    return None if seed is None else _entropy(seed, master).generate_state(8)


def _mixed(make, master):
    @functools.wraps(make)
    def mixed(seed=None):
        return make(_entropy(seed, master))

    return mixed


def _mixed_class(kind, master):
    old = kind is np.random.RandomState

    class Mixed(kind):
        def __init__(self, seed=None):
            if old and not isinstance(seed, np.random.BitGenerator):
                seed = _words(seed, master)
            super().__init__(seed if old else _entropy(seed, master))

    Mixed.__name__ = Mixed.__qualname__ = kind.__name__
    return Mixed


class _Torch(importlib.abc.MetaPathFinder):
    """Mixes the master seed into torch when a cell imports it, and not before: importing it takes long."""

    def __init__(self, master):
        self.master = master

    def find_spec(self, name, path=None, target=None):
        """Finds torch as others do, with a step after its import."""
        if name != "torch":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec("torch")
        load = spec.loader.exec_module

        def load_and_mix(module):
            load(module)
            seed = module.manual_seed
            module.manual_seed = lambda number: seed(int(_entropy(number, self.master).generate_state(1)[0]))

        spec.loader.exec_module = load_and_mix
        return spec
