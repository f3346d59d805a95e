# SPDX-License-Identifier: MIT
"""Linking device code by hand, by NVIDIA's nvJitLink: what create_module_image loads."""
import pathlib

from gridcell import _gridcell
from gridcell.cuda import foreign

FILE_EXTENSION_MAP = {"o": foreign.Object, "ptx": foreign.PTXSource, "a": foreign.Archive,
                      "lib": foreign.Archive, "cubin": foreign.Cubin, "fatbin": foreign.Fatbin,
                      "ltoir": foreign.LTOIR, "cu": foreign.CUSource}


def _adder(what, kind, unnamed=None):
    """A method that adds code of a kind."""
    def add(self, code, name=unnamed or f"<unnamed-{what}>"):
        self._add(kind, code, name)
    add.__name__, add.__qualname__ = f"add_{what}", f"Linker.add_{what}"
    return add


class Linker:
    """Linker(max_registers=0, lineinfo=False, cc=None): add codes, then complete() gives the cubin.

    CUDA C is compiled by NVRTC. cc: the compute capability; None for the current device's."""
    __module__ = "numba.cuda.cudadrv.driver"

    @classmethod
    def new(cls, max_registers=0, lineinfo=False, cc=None):
        return cls(max_registers, lineinfo, cc)

    def __init__(self, max_registers=0, lineinfo=False, cc=None):
        if max_registers:
            raise NotImplementedError("a limit of registers is for kernels: cuda.jit(max_registers=...)")
        self.cc = tuple(cc) if cc else _present()
        self.lto = False
        self._codes = []
        self.info_log = self.error_log = ""

    def _add(self, kind, data, name):
        data = data.encode() if isinstance(data, str) else bytes(data)
        self._codes.append((kind, name, data))
        self.lto = self.lto or kind == foreign.KIND_LTOIR

    add_ptx = _adder("ptx", foreign.KIND_PTX, "<cudapy-ptx>")
    add_cubin = _adder("cubin", foreign.KIND_CUBIN)
    add_fatbin = _adder("fatbin", foreign.KIND_FATBIN)
    add_object = _adder("object", foreign.KIND_OBJECT)
    add_library = _adder("library", foreign.KIND_ARCHIVE)
    add_ltoir = _adder("ltoir", foreign.KIND_LTOIR)

    def add_cu(self, cu, name="<unnamed-cu>"):
        text = cu if isinstance(cu, str) else bytes(cu).decode()
        self._add(*_gridcell.cuda_nvrtc(text, name, self.cc[0] * 10 + self.cc[1], False), name)

    def add_cu_file(self, path):
        self.add_cu(pathlib.Path(path).read_text(), str(path))

    def add_file_guess_ext(self, path_or_code):
        """A file, by the ending of its name, or LinkableCode."""
        code = path_or_code if isinstance(path_or_code, foreign.LinkableCode) else foreign._from_path(path_or_code)
        if code.kind == foreign.KIND_CUDA_C:
            self.add_cu(code.data, code.name)
        else:
            self._add(code.kind, code.data, code.name)

    def add_file(self, path, kind):
        """A file of that kind: a name such as "cubin", or a class of LinkableCode."""
        maker = FILE_EXTENSION_MAP[kind] if isinstance(kind, str) else kind
        try:
            self.add_file_guess_ext(maker(pathlib.Path(path).read_bytes(), str(path)))
        except FileNotFoundError:
            from .driver import LinkerError
            raise LinkerError(f"{path} not found") from None

    def complete(self):
        """The codes linked, as a cubin."""
        from .driver import LinkerError
        if not self._codes:
            raise LinkerError("there is nothing to link")
        (kind, _, first), *others = self._codes
        try:
            return _gridcell.cuda_link(first, kind, others, self.cc[0] * 10 + self.cc[1], self.lto, False)
        except Exception as error:
            self.error_log = str(error)
            raise LinkerError(str(error)) from error

    def get_linked_ptx(self):
        """The codes as one PTX; LTO-IR alone."""
        (kind, _, first), *others = self._codes
        return _gridcell.cuda_link(first, kind, others, self.cc[0] * 10 + self.cc[1], True, True)


def _present():
    from gridcell.cuda.compiler import _default_cc
    from .devices import get_context
    device = get_context().device
    return _default_cc() if device.is_emulated else device.compute_capability
