# SPDX-License-Identifier: MIT
"""numba.cuda.cudadrv.nvrtc: CUDA C to PTX, by NVIDIA's runtime compiler where it is installed."""
import contextlib
import ctypes
import os
import signal

from gridcell.cuda.foreign import include_folders
from .error import CCSupportError, NvrtcCompilationError, NvrtcError, NvrtcSupportError
from .libs import open_cudalib

SUCCESS, ERROR_COMPILATION = 0, 6


@contextlib.contextmanager
def _own_interrupts():
    """NVRTC takes SIGINT over and does not give it back: an interrupt would be lost ever after."""
    sigaction = ctypes.CDLL(None).sigaction
    before = ctypes.create_string_buffer(512)  # more than a struct sigaction
    sigaction(signal.SIGINT, None, before)
    try:
        yield
    finally:
        sigaction(signal.SIGINT, before, None)


class NVRTC:
    """The library; NvrtcSupportError where there is none."""

    _library = None

    def __init__(self):
        if NVRTC._library is None:
            NVRTC._library = _load()

    def _call(self, name, *args):
        code = getattr(self._library, name)(*args)
        if code != SUCCESS:
            text = self._library.nvrtcGetErrorString(code)
            kind = NvrtcCompilationError if code == ERROR_COMPILATION else NvrtcError
            raise kind(f"Failed to call {name}: {text.decode()}")

    def get_version(self):
        """(major, minor)"""
        major, minor = ctypes.c_int(), ctypes.c_int()
        self._call("nvrtcVersion", ctypes.byref(major), ctypes.byref(minor))
        return major.value, minor.value

    def get_supported_archs(self):
        """The compute capabilities that it compiles for, as pairs."""
        count = ctypes.c_int()
        self._call("nvrtcGetNumSupportedArchs", ctypes.byref(count))
        archs = (ctypes.c_int * count.value)()
        self._call("nvrtcGetSupportedArchs", archs)
        return [divmod(arch, 10) for arch in archs]

    def _text(self, program, what):
        size = ctypes.c_size_t()
        self._call(f"nvrtcGet{what}Size", program, ctypes.byref(size))
        text = ctypes.create_string_buffer(max(size.value, 1))
        self._call(f"nvrtcGet{what}", program, text)
        return text.raw[:size.value]

    def compile(self, source, name, options, what="PTX"):
        """(code, log); NvrtcCompilationError with the log."""
        program = ctypes.c_void_p()
        self._call("nvrtcCreateProgram", ctypes.byref(program), source.encode(), name.encode(), 0,
                   None, None)
        try:
            texts = (ctypes.c_char_p * len(options))(*[option.encode() for option in options])
            try:
                with _own_interrupts():
                    self._call("nvrtcCompileProgram", program, len(options), texts)
            except NvrtcCompilationError:
                log = self._text(program, "ProgramLog").rstrip(b"\0").decode()
                raise NvrtcCompilationError(
                    f"NVRTC Compilation failure whilst compiling {name}:\n\n{log}") from None
            return self._text(program, what), self._text(program, "ProgramLog").rstrip(b"\0").decode()
        finally:
            self._library.nvrtcDestroyProgram(ctypes.byref(program))


def _load():
    try:
        library = open_cudalib("nvrtc")
    except OSError as error:
        folder = os.environ.get("CUDA_HOME", "/usr/local/cuda")
        try:
            library = ctypes.CDLL(os.path.join(folder, "lib64", "libnvrtc.so"))
        except OSError:
            raise NvrtcSupportError(f"NVRTC cannot be loaded: {error}") from None
    library.nvrtcGetErrorString.restype = ctypes.c_char_p
    return library


def _get_nvrtc_version():
    return NVRTC().get_version()


def get_supported_ccs():
    """The compute capabilities that NVRTC compiles for, as pairs in order."""
    return sorted(NVRTC().get_supported_archs())


def get_lowest_supported_cc():
    return get_supported_ccs()[0]


def find_closest_arch(cc):
    """The highest compute capability that NVRTC compiles for, and that a device of `cc` runs."""
    fits = [supported for supported in get_supported_ccs() if supported <= tuple(cc)]
    if not fits:
        raise CCSupportError("GPU compute capability {}.{} is not supported (requires >={}.{})".format(
            *cc, *get_lowest_supported_cc()))
    return fits[-1]


def compile(src, name, cc, ltoir=False):
    """CUDA C compiled for a compute capability: (PTX as str, or LTO-IR as bytes; the log)."""
    options = ["--gpu-architecture=compute_%d%d" % tuple(cc), "-rdc", "true"]
    options += [f"-I{folder}" for folder in include_folders()]
    if ltoir:
        return NVRTC().compile(src, name, [*options, "-dlto"], "LTOIR")
    code, log = NVRTC().compile(src, name, options)
    return code.rstrip(b"\0").decode(), log
