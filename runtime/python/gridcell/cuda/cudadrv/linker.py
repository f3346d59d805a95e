# SPDX-License-Identifier: MIT
"""Linking device code by hand, by NVIDIA's nvJitLink: what create_module_image loads."""
import pathlib

from gridcell import _gridcell
from gridcell.cuda import foreign

FILE_EXTENSION_MAP = {"o": foreign.Object, "ptx": foreign.PTXSource, "a": foreign.Archive,
                      "lib": foreign.Archive, "cubin": foreign.Cubin, "fatbin": foreign.Fatbin,
                      "ltoir": foreign.LTOIR, "cu": foreign.CUSource}


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

    def add_ptx(self, ptx, name="<cudapy-ptx>"):
        self._add(foreign.KIND_PTX, ptx, name)

    def add_cubin(self, cubin, name="<unnamed-cubin>"):
        self._add(foreign.KIND_CUBIN, cubin, name)

    def add_fatbin(self, fatbin, name="<unnamed-fatbin>"):
        self._add(foreign.KIND_FATBIN, fatbin, name)

    def add_object(self, obj, name="<unnamed-object>"):
        self._add(foreign.KIND_OBJECT, obj, name)

    def add_library(self, lib, name="<unnamed-library>"):
        self._add(foreign.KIND_ARCHIVE, lib, name)

    def add_ltoir(self, ltoir, name="<unnamed-ltoir>"):
        self._add(foreign.KIND_LTOIR, ltoir, name)

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
