# SPDX-License-Identifier: MIT
"""What a function did with a case's arguments, and how two of these differ."""
import warnings

import numpy as np

UNCLEAN = ("internal:", "SystemError", "InternalError", "LLVM", "Segmentation", "AssertionError")
# What Python finds at run time, a compiler finds when it compiles.
STATIC = ("TypeError", "AttributeError", "NotImplementedError", "NameError", "TypingError", "UnsupportedError",
          "LoweringError", "UnsupportedBytecodeError", "NumbaValueError", "NumbaTypeError", "NumbaNotImplementedError",
          "LiteralTypingError", "RequireLiteralValue", "ConstantInferenceError", "ForceLiteralArg")
LONG = 2**13  # bits of an integer: of some more, Python refuses to write the decimal digits


class OfLargest(float):
    """Last places of the largest item: as much as is left where the others cancel."""


class Raised:
    """An exception: its classes' names, its text, and whether it came of compilation."""

    def __init__(self, error):
        self.classes = [base.__name__ for base in type(error).__mro__]
        self.text = str(error)

    @property
    def name(self):
        return self.classes[0]

    @property
    def is_refusal(self):
        return "NumbaError" in self.classes or any(name in STATIC for name in self.classes)

    @property
    def is_unclean(self):
        return any(word in self.text or word in self.classes for word in UNCLEAN)

    def __repr__(self):
        return f"{self.name}({self.text[:200]!r})"


def plain(value):
    """The value without what the process owns: views and subclasses become arrays."""
    if isinstance(value, (tuple, list)):
        return tuple(plain(item) for item in value)
    if isinstance(value, np.ndarray):
        return np.array(value)
    if isinstance(value, int) and value.bit_length() > LONG:
        return hex(value)
    if isinstance(value, (bool, int, float, complex, np.generic, str, bytes, type(None))):
        return value
    return repr(type(value))


def outcome(function, arguments):
    """(result, what became of the arrays that were given), or Raised."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            result = plain(function(*arguments))
    except Exception as error:  # compared, whatever it is
        return Raised(error)
    return result, tuple(plain(a) for a in arguments if isinstance(a, np.ndarray))


def outcomes(function, case, seed):
    """One for each round, until a refusal, which all others would repeat."""
    found = []
    for make in case.rounds(seed):
        found.append(outcome(function, make()))
        if isinstance(found[-1], Raised) and found[-1].is_refusal:
            break
    return found


def kind_of(value):
    """b, i, f, c or another letter: what stands for the dtype of a scalar, which Python does not show."""
    kind = np.asarray(value).dtype.kind
    return "i" if kind == "u" else kind


def difference(got, want, ulps=0):
    """None, or (kind, words) of how an outcome differs from the one that is wanted."""
    if isinstance(got, Raised):
        return of_errors(got, want)
    if isinstance(want, Raised):
        return "accepted", f"gave {got[0]!r:.200} for {want!r}"
    return of_values(got[0], want[0], ulps) or of_arguments(got[1], want[1], ulps)


def of_errors(got, want):
    if got.is_unclean:
        return "internal", repr(got)
    if not isinstance(want, Raised):
        return "refused" if got.is_refusal else "raised", f"{got!r} for {want[0]!r:.200}"
    # of several faults in the arguments either may be named first; those that NumPy finds when it runs,
    # such as an axis out of bounds, a compiler may find earlier
    if got.is_refusal or want.is_refusal or got.name in want.classes or want.name in got.classes:
        return None
    return "error", f"{got!r} for {want!r}"


def of_arguments(got, want, ulps):
    for place, (g, w) in enumerate(zip(got, want)):
        found = of_values(g, w, ulps)
        if found:
            return found[0], f"array argument {place}: {found[1]}"
    return None


def of_values(got, want, ulps):
    if isinstance(want, tuple) or isinstance(got, tuple):
        if not (isinstance(got, tuple) and isinstance(want, tuple)) or len(got) != len(want):
            return "shape", f"{got!r:.200} for {want!r:.200}"
        return next(filter(None, (of_values(g, w, ulps) for g, w in zip(got, want))), None)
    if isinstance(want, np.ndarray) != isinstance(got, np.ndarray):
        return "shape", f"{type(got).__name__} {got!r:.120} for {type(want).__name__} {want!r:.120}"
    if not isinstance(want, (np.ndarray, bool, int, float, complex, np.generic)):
        return None if got == want or want != want else ("value", f"{got!r:.200} for {want!r:.200}")
    if isinstance(want, np.ndarray):
        if got.shape != want.shape:
            return "shape", f"{got.shape} for {want.shape}"
        if got.dtype != want.dtype:
            return "dtype", f"{got.dtype} for {want.dtype}: {first_difference(got, want, ulps)}"
    elif kind_of(got) != kind_of(want):
        return "dtype", f"{got!r} for {want!r}"
    words = first_difference(got, want, ulps)
    return ("value", words) if words else None


def first_difference(got, want, ulps):
    """None, or the first place where the values differ."""
    g, w = np.asarray(got), np.asarray(want)
    if (g.dtype.kind in "mM") != (w.dtype.kind in "mM"):
        return f"{got!r:.120} for {want!r:.120}"
    if g.dtype.kind in "OSU" or w.dtype.kind in "OSU":
        wrong = np.asarray(g != w)
    else:
        wrong = ~near(g, w, ulps)
    if not wrong.any():
        return None
    if not wrong.ndim:
        return f"{g[()]!r} for {w[()]!r}" if isinstance(got, np.ndarray) else f"{got!r} for {want!r}"
    at = tuple(int(i) for i in np.argwhere(wrong)[0])
    return f"{int(wrong.sum())} of {wrong.size}, at {at}: {g[at]!r} for {w[at]!r}"


def near(g, w, ulps):
    """Where items are the same: to the bit but for the bits of NaN, or within some last places, of all or of each."""
    if np.ndim(ulps) and np.shape(ulps) != w.shape:  # those of a result, of which this is an operand
        ulps = 0
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if w.dtype.kind not in "fc" and g.dtype.kind not in "fc":
            if w.dtype.kind in "mM":
                return (g == w) | (np.isnat(g) & np.isnat(w))
            return g == w
        if w.dtype.kind == "c" or g.dtype.kind == "c":
            return near_complex(g.astype(complex, copy=False) if g.dtype.kind != "c" else g, w, ulps)
        same = (g == w) & (np.signbit(g) == np.signbit(w)) | (np.isnan(g) & np.isnan(w))
        if np.any(ulps):
            same |= np.abs(g - w) <= ulps * np.spacing(size_of(w, ulps))
        return same


def size_of(w, ulps):
    size = np.abs(w)
    return np.max(size, initial=0, where=np.isfinite(size)) if isinstance(ulps, OfLargest) else size


def near_complex(g, w, ulps):
    g = g.astype(w.dtype, copy=False) if w.dtype.kind == "c" else g
    parts = [(np.asarray(part(g)), np.asarray(part(w))) for part in (np.real, np.imag)]
    same = near(*parts[0], ulps) & near(*parts[1], ulps)
    if np.any(ulps):
        # of the number as a whole: the smaller part of a complex product may be off by more
        same |= np.abs(g - w) <= ulps * np.spacing(size_of(w, ulps))
    return same
