"""Registers, local memory and spills of a kernel as cuda.xray tells them, and what they make of its occupancy."""
import stat

import pytest
from common import cuda, is_emulated, np

from gridcell.cuda import sass
from gridcell.insight import resources
from gridcell.insight.gpus import gpu_of, occupancy

try:
    sass._tool("ptxas")
    HAS_PTXAS = True
except RuntimeError:
    HAS_PTXAS = False
with_ptxas = pytest.mark.skipif(not HAS_PTXAS, reason="there is no ptxas")
# threads, registers, bytes of shared memory -> blocks at once, by NVIDIA's cuda_occupancy.h
BLOCKS = {"V100": [((1, 8, 0), 32), ((57, 242, 0), 4), ((288, 224, 0), 0), ((1024, 32, 4999), 2)],
          "T4": [((22, 170, 0), 8), ((133, 152, 0), 2), ((815, 26, 0), 1), ((64, 200, 30000), 2)],
          "A100": [((50, 80, 0), 12), ((257, 62, 0), 3), ((815, 26, 0), 2), ((128, 24, 9998), 15)],
          "RTX3090": [((15, 8, 0), 16), ((71, 242, 0), 2), ((256, 40, 0), 6)],
          "RTX4090": [((36, 170, 0), 4), ((195, 152, 0), 1), ((256, 40, 0), 6)],
          "H100": [((1, 98, 0), 16), ((64, 80, 0), 12), ((319, 62, 0), 3), ((64, 32, 19996), 11)]}


@pytest.mark.parametrize("name", BLOCKS)
def test_occupancy_by_registers(name):
    limits = gpu_of(name).limits
    for (threads, registers, shared), blocks in BLOCKS[name]:
        assert occupancy(limits, threads, shared, registers)[0] == blocks, (threads, registers, shared)
    assert occupancy(limits, 256, 0, 255)[2] == "registers" and occupancy(limits, 256, 0, 16)[2] != "registers"
    assert occupancy(limits, 33, 0)[1] == occupancy(limits, 64, 0)[1]  # of warps, full or not


def crowded(**options):
    @cuda.jit(**options)
    def kernel(a, out):
        i = cuda.grid(1)
        b, c, d, e = a[i], a[i + 1], a[i + 2], a[i + 3]
        f, g, h, j = a[i + 4], a[i + 5], a[i + 6], a[i + 7]
        k, l, m, n = a[i + 8], a[i + 9], a[i + 10], a[i + 11]
        cuda.syncthreads()
        out[i] = b * c + d * e + f * g + h * j + k * l + m * n + b * n * c * m + d * l * e * k + f * j + g * h
    return kernel


def told(kernel, device="T4"):
    return cuda.xray(kernel, 2, 64, np.ones(256), np.zeros(128), device=device)


@with_ptxas
def test_registers_and_spills():
    plain, spilled = told(crowded()), told(crowded(max_registers=16))
    assert plain.total["registers"] > 24 and plain.total["spill_bytes_a_thread"] == 0
    assert spilled.total["spill_bytes_a_thread"] > 0 and spilled.total["registers"] <= 24
    assert f"({spilled.total['spill_bytes_a_thread']} of spills)" in repr(spilled)
    if is_emulated():  # newer tools than those here spill less, and then three other things come first
        assert any(text.startswith("Each thread spills ") and "max_registers" in text for text in spilled.verdict)
    assert not any("spills" in text for text in plain.verdict)
    kernel = crowded(max_registers=16)
    kernel[1, 1](np.ones(256), np.zeros(128))
    assert kernel.overloads[kernel.signatures[0]].local_mem_per_thread > 0
    assert spilled.to_dict()["resources"]["registers"] == spilled.total["registers"]
    if is_emulated():
        assert plain.resources(plain.gpu).told_by == "ptxas"
    assert plain.resources(gpu_of("V100")).registers > 24  # which new tools have given up


@cuda.jit
def indexed(out):
    own = cuda.local.array(40, np.float32)
    i = cuda.grid(1)
    for j in range(40):
        own[(7 * i + j) % 40] = j
    out[i] = own[i % 40] + own[3 * i % 40]


@with_ptxas
def test_local_arrays():
    result = cuda.xray(indexed, 1, 32, np.zeros(32))
    assert result.total["local_bytes_a_thread"] == 160 and result.total["spill_bytes_a_thread"] == 0
    assert "160 bytes of local memory a thread (160 of arrays), by " in repr(result)


def without_tools(monkeypatch, but=None):
    sass.gpu_needs.cache_clear()

    def missing(ptx, capability):
        raise RuntimeError("it has not been found")
    for name in {"_by_ptxas", "_by_nvjitlink"} - {but}:
        monkeypatch.setattr(sass, name, missing)


@with_ptxas
def test_nvjitlink_tells_them_too(monkeypatch):
    version = indexed.compile("void(float64[:])")
    ptx = version._gpu_code((8, 0))[0]
    wanted = sass.gpu_needs(ptx, (8, 0))
    without_tools(monkeypatch, but="_by_nvjitlink")
    found = sass.gpu_needs(ptx, (8, 0))
    if found["missing"]:
        pytest.skip(found["missing"])
    assert {**found, "assembler": "ptxas"} == wanted and found["assembler"] == "nvJitLink"


@with_ptxas
def test_a_gpu_that_libnvvm_has_given_up(monkeypatch):
    version = indexed.compile("void(float64[:])")
    gpu_code = type(version)._gpu_code

    def no_longer(version, capability):
        if capability < (7, 5):
            raise RuntimeError("NVVM_ERROR_INVALID_OPTION")
        return gpu_code(version, capability)
    monkeypatch.setattr(type(version), "_gpu_code", no_longer)
    told = resources.resources(indexed, indexed.signatures[0], (7, 0))
    assert told.registers and told.told_by == "ptxas for compute capability 7.5"


@pytest.mark.skipif(not is_emulated(), reason="a GPU's driver tells them")
def test_without_an_assembler(monkeypatch):
    without_tools(monkeypatch)
    kernel = crowded()
    result = told(kernel, "H100")
    assert result.total["registers"] is None and result.total["occupancy"] == 1
    assert f"registers not counted ({resources._HOW_TO_TELL})" in repr(result)
    assert result.verdict == told(kernel, "H100").verdict
    sass.gpu_needs.cache_clear()


def test_ptxas_of_a_wheel_is_found(tmp_path, monkeypatch):
    tool = tmp_path / "nvidia" / "cuda_nvcc" / "bin" / "ptxas"
    tool.parent.mkdir(parents=True)
    tool.write_text("#!/bin/sh\n")
    tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
    for variable in ("PATH", "CUDA_HOME", "CUDA_PATH"):
        monkeypatch.setenv(variable, "")
    monkeypatch.setattr(sass, "_TOOLKIT", "/nowhere")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert sass._tool("ptxas") == str(tool)
