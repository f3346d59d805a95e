# SPDX-License-Identifier: MIT
"""The machine code of kernels, by the tools of the CUDA toolkit: ptxas and nvdisasm."""
import os
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


def disassemble(ptx, compute_capability, *options):
    """(What nvdisasm prints of the PTX's machine code, what ptxas says of its resources).

    RuntimeError where a tool is missing, or refuses the PTX.
    """
    assembler, disassembler = _tool("ptxas"), _tool("nvdisasm")
    with tempfile.TemporaryDirectory() as folder:
        source, cubin = (os.path.join(folder, name) for name in ("kernel.ptx", "kernel.cubin"))
        with open(source, "w") as file:
            file.write(ptx)
        major, minor = compute_capability
        report = _run([assembler, "-v", f"-arch=sm_{major}{minor}", source, "-o", cubin])[1]
        return _run([disassembler, *options, cubin])[0], report
