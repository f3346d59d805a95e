# SPDX-License-Identifier: MIT
"""The machine code of kernels, by the tools of the CUDA toolkit: ptxas and nvdisasm."""
import functools
import os
import re
import shutil
import subprocess
import tempfile

_MISSING = ("{} has not been found. You may need to install the CUDA toolkit and ensure that it is "
            "available on your PATH.")


def _tool(name):
    folders = [os.environ.get(variable, "") for variable in ("CUDA_HOME", "CUDA_PATH")]
    folders.append("/usr/local/cuda")
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
    """Bytes of constant and shared memory of a kernel and of local memory of a thread, and by ptxas registers."""
    needs = {space: _bytes_of(ptx, space) for space in ("const", "shared", "local")}
    needs["regs"] = 0
    try:
        report = _assemble(ptx, compute_capability, os.devnull)
    except RuntimeError:  # no ptxas, or one that knows no such GPU
        return needs
    needs["regs"] = max(map(int, re.findall(r"Used (\d+) registers", report)), default=0)
    return needs


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
