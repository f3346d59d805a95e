# SPDX-License-Identifier: MIT
"""The machine code of kernels, by the tools of the CUDA toolkit: ptxas and nvdisasm; or by nvJitLink."""
import functools
import glob
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

from gridcell import _gridcell

from .foreign import KIND_PTX

_MISSING = ("{} was not found. You may need to install the CUDA toolkit and ensure that it is "
            "available on your PATH.")


_TOOLKIT = "/usr/local/cuda"


def _tool(name):
    folders = [os.environ.get(variable, "") for variable in ("CUDA_HOME", "CUDA_PATH")]
    folders.append(_TOOLKIT)
    for folder in sys.path:  # of NVIDIA's wheels
        folders += sorted(glob.glob(os.path.join(folder, "nvidia", "*")), reverse=True)
    path = os.pathsep.join(filter(None, [os.environ.get("PATH", "")] +
                                  [os.path.join(folder, "bin") for folder in folders if folder]))
    found = shutil.which(name, path=path)
    if not found:
        raise RuntimeError(_MISSING.format(name))
    return found


def _run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{os.path.basename(command[0])} failed: {done.stderr.strip()}")
    return done.stdout, done.stderr


def _bytes_of(ptx, space):
    """What the arrays of a space take, one behind the other, each where its alignment allows."""
    end = 0
    for align, bits, count in re.findall(
            rf"\.{space}\s+\.align\s+(\d+)\s+\.[busf](\d+)\s+[\w$]+\[(\d+)\]", ptx):
        end += -end % int(align) + int(bits) // 8 * int(count)
    return end


@functools.lru_cache(maxsize=256)
def gpu_needs(ptx, compute_capability):
    """Bytes of constant and shared memory of a kernel and of arrays in local memory of a thread, by the PTX.

    regs: registers of a thread, stack: its bytes of local memory, spills: those that are no arrays', as the
    assembler that is found (`assembler`) makes of it; else None, and `missing` says why."""
    needs = {space: _bytes_of(ptx, space) for space in ("const", "shared", "local")}
    needs.update(regs=None, stack=None, spills=None, assembler=None, missing=None)
    missing = []
    for name, assemble in (("ptxas", _by_ptxas), ("nvJitLink", _by_nvjitlink)):
        try:
            needs["regs"], needs["stack"], has_spills = assemble(ptx, compute_capability)
        except Exception as error:  # there is none, or one that knows no such GPU
            missing.append(str(error).splitlines()[0])
            continue
        beyond = max(0, needs["stack"] - needs["local"])
        needs.update(assembler=name, spills=beyond if has_spills is None else max(beyond, 4) if has_spills else 0)
        return needs
    needs["missing"] = "; ".join(missing)
    return needs


def _by_ptxas(ptx, compute_capability):
    """(registers, bytes of the stack, whether values are spilled); the largest of the functions that are called."""
    report = _assemble(ptx, compute_capability, os.devnull)

    def most(pattern):
        return max(map(int, re.findall(pattern, report)), default=0)
    frame = most(r"(\d+) bytes stack frame")
    return most(r"Used (\d+) registers"), max(frame, most(r"(\d+) bytes cumulative stack")), most(r"(\d+) bytes spill") > 0


def _by_nvjitlink(ptx, compute_capability):
    major, minor = compute_capability
    cubin = _gridcell.cuda_link(ptx.encode(), KIND_PTX, [], major * 10 + minor, False, False)
    return *cubin_needs(cubin), None


_REGISTERS, _FRAME, _STACK = 0x2f, 0x11, 0x12  # attributes of a cubin's functions


def cubin_needs(cubin):
    """(registers, bytes of the stack) of the most demanding function in machine code for a GPU."""
    found = {_REGISTERS: 0, _FRAME: 0, _STACK: 0}
    start, size, count, names = struct.unpack_from("<Q10xHHH", cubin, 40)
    sections = [struct.unpack_from("<I20xQQ", cubin, start + number * size) for number in range(count)]
    for name, offset, length in sections:
        at = sections[names][1] + name
        if cubin[at:cubin.index(b"\0", at)] != b".nv.info":
            continue
        end = offset + length
        while offset < end:  # a format, an attribute, and a number or the length of what follows
            form, attribute, value = struct.unpack_from("<BBH", cubin, offset)
            offset += 4
            if form == 4:
                if attribute in found and value == 8:
                    found[attribute] = max(found[attribute], struct.unpack_from("<4xI", cubin, offset)[0])
                offset += value
    return found[_REGISTERS], max(found[_FRAME], found[_STACK])


def _assemble(ptx, compute_capability, cubin):
    """What ptxas says of the resources of what it writes to the file `cubin`."""
    major, minor = compute_capability
    with tempfile.NamedTemporaryFile("w", suffix=".ptx") as source:
        source.write(ptx)
        source.flush()
        return _run([_tool("ptxas"), "-v", f"-arch=sm_{major}{minor}", source.name, "-o", cubin])[1]


def disassemble(ptx, compute_capability, *options):
    """(What nvdisasm prints of the PTX's machine code, what ptxas says of its resources).

    RuntimeError where a tool is missing, or refuses the PTX.
    """
    disassembler = _tool("nvdisasm")
    with tempfile.TemporaryDirectory() as folder:
        cubin = os.path.join(folder, "kernel.cubin")
        report = _assemble(ptx, compute_capability, cubin)
        return _run([disassembler, *options, cubin])[0], report
