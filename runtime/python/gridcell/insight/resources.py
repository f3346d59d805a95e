# SPDX-License-Identifier: MIT
"""What a thread of a kernel takes of a GPU: registers and local memory, of the kernel as it is without counting."""
import collections

from gridcell.cuda.cudadrv.devices import get_context
from gridcell.cuda.sass import gpu_needs

from .gpus import CAPABILITIES

# registers, local_bytes, spill_bytes: of a thread, None: unknown, and `told_by` says why; else who tells them.
# array_bytes: of its arrays in local memory
Resources = collections.namedtuple("Resources", "registers local_bytes spill_bytes array_bytes told_by")
_HOW_TO_TELL = "ptxas tells them: of the CUDA toolkit, or pip install nvidia-cuda-nvcc-cu12"


def _first_line(error):
    return (str(error) or repr(error)).splitlines()[0]


def unknown(why):
    return Resources(None, None, None, None, why)


def resources(kernel, argument_types, capability):
    """Of the kernel's version for these types on a GPU of that compute capability: by the driver, if it is there; else
    by ptxas or nvJitLink, which need no GPU."""
    try:
        version = kernel.overloads.get(argument_types) or kernel.compile(argument_types)
        needs, told_by = _needs(version, capability)
    except Exception as error:  # what runs on the CPU need not compile for each GPU
        return unknown(f"it is not compiled for such a GPU: {_first_line(error)}")
    if needs["regs"] is None:
        return unknown(_HOW_TO_TELL if "not been found" in needs["missing"] else needs["missing"])
    return Resources(needs["regs"], needs["stack"], needs["spills"], needs["local"], told_by)


def _needs(version, capability):
    """(what gpu_needs tells, who it is by)"""
    if not _is_elsewhere(capability):
        return _by_driver(version, version._gpu_code(capability)[0], capability), "the driver"
    needs = _by_tools(version, capability)
    if needs["regs"] is not None or "not been found" in needs["missing"]:
        return needs, needs["assembler"]
    for newer in CAPABILITIES[CAPABILITIES.index(capability) + 1:]:  # new tools have given up old GPUs
        like = _by_tools(version, newer)
        if like["regs"] is not None:
            return like, f"{like['assembler']} for compute capability {newer[0]}.{newer[1]}"
    return needs, None


def _by_tools(version, capability):
    """By ptxas or nvJitLink; libnvvm may have given up a GPU that they have not."""
    try:
        ptx = version._gpu_code(capability)[0]
    except Exception as error:
        return {"regs": None, "assembler": None, "missing": f"it is not compiled for such a GPU: {_first_line(error)}"}
    return gpu_needs(ptx, capability)


def _is_elsewhere(capability):
    device = get_context().device
    return device.is_emulated or device.compute_capability != capability


def _by_driver(version, ptx, capability):
    """By its attributes of what it has loaded; spills are what ptxas says, where it is, else what is no array's."""
    needs = dict(gpu_needs(ptx, capability))
    registers, local = version.regs_per_thread, version.local_mem_per_thread
    spills = needs["spills"] if needs["regs"] == registers else max(0, local - needs["local"])
    return {**needs, "regs": registers, "stack": local, "spills": spills}


def text(found):
    """What of it a reader wants to know."""
    if found.registers is None:
        return f"registers not counted ({found.told_by})"
    local = f"{found.local_bytes} bytes of local memory a thread"
    parts = [f"{size} of {what}" for size, what in ((found.array_bytes, "arrays"), (found.spill_bytes, "spills")) if size]
    return f"{found.registers} registers and {local}{' (' + ', '.join(parts) + ')' if parts else ''}, by {found.told_by}"
