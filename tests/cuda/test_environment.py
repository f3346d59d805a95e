"""How the environment chooses the device, each in a process of its own."""
import os
import pathlib
import subprocess
import sys
import tempfile

from common import BUILD, is_emulated

FALLBACK = "kernels run on the emulated device (CPU)"


def run(code, **environment):
    """(stdout, stderr) of a program that has `cuda`."""
    env = {name: value for name, value in os.environ.items()
           if name not in ("GRIDCELL_DEVICE", "NUMBA_ENABLE_CUDASIM", "NUMBA_DISABLE_CUDA")}
    env.update(environment, PYTHONPATH=f"{BUILD / 'python'}:{env.get('PYTHONPATH', '')}")
    program = f"import gridcell; gridcell.activate()\nfrom numba import cuda\n{code}"
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(program)
        file.flush()
        done = subprocess.run([sys.executable, file.name], env=env, text=True,
                              capture_output=True, timeout=100)
    return done.stdout, done.stderr


SHOW = "print(cuda.get_current_device().is_emulated, len(cuda.gpus))"


def test_the_emulator_by_name():
    for environment in ({"GRIDCELL_DEVICE": "emulator"}, {"NUMBA_ENABLE_CUDASIM": "1"}):
        assert run(SHOW, **environment) == ("True 1\n", "")


def test_fallback_is_announced_once():
    output, errors = run(SHOW + "\ncuda.to_device([1])", GRIDCELL_DEVICE="auto",
                         NUMBA_DISABLE_CUDA="1")
    assert output == "True 1\n" and errors.count(FALLBACK) == 1, errors
    assert errors.startswith("gridcell: no CUDA device found (CUDA is disabled")
    if is_emulated() and not pathlib.Path("/dev/nvidiactl").exists():
        output, errors = run(SHOW)
        assert output == "True 1\n" and errors.count(FALLBACK) <= 1


def test_importing_looks_for_no_device():
    output, errors = run("@cuda.jit\ndef k(x): pass\nprint('done')", NUMBA_DISABLE_CUDA="1")
    assert (output, errors) == ("done\n", "")


def test_no_driver_where_one_is_asked_for():
    code = ("print(cuda.is_available())\n"
            "try:\n    cuda.to_device([1])\n"
            "except cuda.CudaSupportError as error:\n    print(error)")
    output, errors = run(code, GRIDCELL_DEVICE="cuda", NUMBA_DISABLE_CUDA="1")
    assert output.startswith("False\nCUDA is disabled due to setting NUMBA_DISABLE_CUDA=1"), output


def test_a_wrong_name():
    output, errors = run("print(cuda.is_available(), cuda.cuda_error())", GRIDCELL_DEVICE="tpu")
    assert output == 'False GRIDCELL_DEVICE is "tpu"; it can be auto, cuda or emulator\n', errors


def test_memory_of_the_emulated_device():
    output, errors = run("print(cuda.current_context().get_memory_info().total)",
                         GRIDCELL_DEVICE="emulator", GRIDCELL_EMULATOR_MEMORY="3M")
    assert output == f"{3 << 20}\n", errors


def test_a_forked_child_launches():
    code = ("import os, numpy as np\n"
            "@cuda.jit\ndef k(x): x[cuda.grid(1)] += 1\n"
            "x = np.zeros(256)\nk[8, 32](x)\n"
            "child = os.fork()\n"
            "if not child:\n    k[8, 32](x)\n    os._exit(0 if (x == 2).all() else 1)\n"
            "print(os.waitpid(child, 0)[1], x[0])")
    assert run(code, GRIDCELL_DEVICE="emulator")[0] == "0 1.0\n"


def test_settings_by_numbas_names():
    code = ("import numba\nfrom numba import config\n"
            "print(config.FORCE_CUDA_CC, config.CUDA_DEFAULT_PTX_CC, config.CUDA_DEALLOCS_COUNT,"
            " config.CUDA_LOG_LEVEL, config.DISABLE_CUDA)\n"
            "ptx = cuda.compile(lambda x: x, 'int32(int32)', abi_info={'abi_name': 'f'})[0]\n"
            "print('.target sm_80' in ptx)")
    output, errors = run(code, NUMBA_FORCE_CUDA_CC="8.0", NUMBA_CUDA_LOG_LEVEL="DEBUG",
                         NUMBA_CUDA_MAX_PENDING_DEALLOCS_COUNT="3", GRIDCELL_DEVICE="emulator")
    assert output == "(8, 0) (7, 5) 3 DEBUG 0\nTrue\n", (output, errors)


def test_the_simulators_name():
    code = ("import numba.cuda.simulator as simulator, numba, numbapro\n"
            "print(simulator.jit is cuda.jit, numba.config.ENABLE_CUDASIM)\n"
            "print(numbapro.check_cuda())")
    output, errors = run(code, NUMBA_ENABLE_CUDASIM="1")
    assert output.startswith("True 1\n") and output.endswith("True\n"), (output, errors)


def test_recursion_is_noticed_where_libraries_took_the_keys_of_threads():
    output, errors = run("""
import ctypes, numba
key = ctypes.c_uint()
for turn in range(64):
    assert ctypes.CDLL(None).pthread_key_create(ctypes.byref(key), None) == 0

@numba.njit
def deeper(n):
    return 0 if n == 0 else deeper(n + 1) + 1

try:
    deeper(1)
except RecursionError:
    print("noticed")
""")
    assert output == "noticed\n", errors
