"""Where NVIDIA's compilers are found in an environment that pip installed them into, and what is said of broken ones.

Stand-ins for them, made by the C compiler, tell when they are called.
"""
import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# as NVIDIA's packages lay them out, up to CUDA 12 and from 13 on
PLACES = {"libnvvm": ["nvidia/cuda_nvcc/nvvm/lib64/libnvvm.so.4", "nvidia/cu13/nvvm/lib64/libnvvm.so.4"],
          "libnvrtc": ["nvidia/cuda_nvrtc/lib/libnvrtc.so.12", "nvidia/cu13/lib/libnvrtc.so.13"],
          "libnvJitLink": ["nvidia/nvjitlink/lib/libnvJitLink.so.12", "nvidia/cu13/lib/libnvJitLink.so.13"]}
SOURCES = {"libnvvm": "compiler/backends/gpu/nvvm/nvvm.c", "libnvrtc": "runtime/cuda/nvrtc.c",
           "libnvJitLink": "runtime/cuda/nvjitlink.c"}
OTHER_FUNCTIONS = """
const char *nvvmGetErrorString(int result) { return "the stand-in"; }
const char *nvrtcGetErrorString(int result) { return "the stand-in"; }
int nvvmVersion(int *major, int *minor) { return *major = 2, *minor = 0, 0; }
"""
ASK = {"libnvvm": "print(_gridcell.compilers()[1])",
       "libnvrtc": "print(_gridcell.cuda_nvrtc('', 'file.cu', 75, False))",
       "libnvJitLink": "print(_gridcell.cuda_link(b'code', 0, [], 75, True, False))"}
# what comes of it, by a library below the folder
SAYS = {"libnvvm": "{folder}/", "libnvrtc": "NVRTC could not compile file.cu: the stand-in",
        "libnvJitLink": "nvJitLink could not start: it gives no reason"}
# before the C library's: the system has none of NVIDIA's
NOTHING_ELSE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <glob.h>
#include <string.h>
int glob64(const char *pattern, int flags, int (*failed)(const char *, int), glob64_t *matches)
{
    int (*next)(const char *, int, int (*)(const char *, int), glob64_t *) = dlsym(RTLD_NEXT, "glob64");
    return strncmp(pattern, "/usr/", 5) && strncmp(pattern, "/opt/", 5) ? next(pattern, flags, failed, matches) : GLOB_NOMATCH;
}
void *dlopen(const char *name, int flags)
{
    void *(*next)(const char *, int) = dlsym(RTLD_NEXT, "dlopen");
    return next(name && !strncmp(name, "libnv", 5) ? "/nonexistent" : name, flags);
}
"""


@pytest.fixture(scope="module")
def stand_ins(tmp_path_factory):
    """A file of each library, with all functions that are asked of it; all but nvvmVersion fail."""
    folder = tmp_path_factory.mktemp("stand-ins")
    made = {}
    for name, source in SOURCES.items():
        functions = set(re.findall(r"\bX\((\w+),", (ROOT / source).read_text())) - {"nvvmVersion"}
        assert len(functions) > 5
        code = folder / f"{name}.c"
        code.write_text(OTHER_FUNCTIONS + "".join(f"int {function}(void) {{ return 7; }}\n" for function in functions))
        made[name] = folder / f"{name}.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-o", made[name], code], check=True)
    return made


@pytest.fixture(scope="module")
def nothing_else(tmp_path_factory):
    """What to load first where the system has no toolkit."""
    folder = tmp_path_factory.mktemp("nothing else")
    (folder / "preload.c").write_text(NOTHING_ELSE)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", folder / "preload.so", folder / "preload.c"], check=True)
    (folder / "preload.so").rename(folder.parent / "preload.so")  # LD_PRELOAD splits at spaces
    return str(folder.parent / "preload.so")


def put(packages, place, content):
    path = packages / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def ask(package_path, code, *folders, **variables):
    """What a Python prints that has these folders of packages; what it raises is printed, too."""
    program = f"import gridcell; gridcell.activate()\nfrom gridcell import _gridcell\ntry:\n    {code}\nexcept Exception as error:\n    print(error)"
    env = {name: value for name, value in os.environ.items()
           if name not in ("VIRTUAL_ENV", "CONDA_PREFIX", "LD_LIBRARY_PATH") and "CUDA" not in name}
    env.update(variables, PYTHONPATH=os.pathsep.join(map(str, (package_path, *folders))), GRIDCELL_CACHE_DIR="")
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, timeout=100)
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize("name, place", [(name, place) for name in PLACES for place in PLACES[name]])
def test_packages_are_found(name, place, package_path, stand_ins, tmp_path):
    path = put(tmp_path / "site packages é", place, stand_ins[name].read_bytes())
    text = ask(package_path, ASK[name], tmp_path / "none", tmp_path / "site packages é")
    assert SAYS[name].format(folder=path.parent) in text, text


@pytest.mark.parametrize("name", PLACES)
def test_what_the_user_named_comes_first(name, package_path, stand_ins, tmp_path):
    put(tmp_path / "packages", PLACES[name][0], b"broken")
    put(tmp_path / "home", f"lib64/{pathlib.Path(PLACES[name][0]).name}", stand_ins[name].read_bytes())
    text = ask(package_path, ASK[name], tmp_path / "packages", CUDA_HOME=str(tmp_path / "home"))
    assert SAYS[name].format(folder=tmp_path / "home/lib64") in text, text


@pytest.mark.parametrize("name", PLACES)
def test_a_broken_library_is_passed_over(name, package_path, stand_ins, tmp_path):
    put(tmp_path / "broken", PLACES[name][0], b"\x7fELF and no more")
    put(tmp_path / "whole", PLACES[name][0], stand_ins[name].read_bytes())
    text = ask(package_path, ASK[name], tmp_path / "broken", tmp_path / "whole")
    assert SAYS[name].format(folder=tmp_path / "whole") in text, text


BROKEN = [(b"no library", "file too short"), (b"x" * 8192, "invalid ELF header")]


@pytest.mark.parametrize("name", PLACES)
@pytest.mark.parametrize("content, reason", BROKEN)
def test_a_broken_library_is_named_where_there_is_no_other(name, content, reason, package_path, nothing_else, tmp_path):
    path = put(tmp_path, PLACES[name][0], content)
    text = ask(package_path, ASK[name].replace("[1]", "[1:]"), tmp_path, LD_PRELOAD=nothing_else)
    assert f"cannot be loaded: {path}: {reason}" in text


@pytest.mark.parametrize("name", PLACES)
def test_one_command_gets_what_is_missing(name, package_path, nothing_else):
    text = ask(package_path, ASK[name].replace("[1]", "[1:]"), LD_PRELOAD=nothing_else)
    assert "was not found" in text and "pip install gridcell[cuda]" in text


@pytest.mark.parametrize("name, reason", [("libnvvm", "{path} lacks functions of libnvvm"),
                                          ("libnvrtc", "NVRTC is older than CUDA 12"),
                                          ("libnvJitLink", "LTO requires nvJitLink of CUDA 12.3 or newer")])
def test_a_library_without_its_functions_is_too_old(name, reason, package_path, stand_ins, nothing_else, tmp_path):
    path = put(tmp_path / "old", PLACES[name][0], pathlib.Path("/lib/x86_64-linux-gnu/libm.so.6").read_bytes())
    text = ask(package_path, ASK[name].replace("[1]", "[1:]"), tmp_path / "old", LD_PRELOAD=nothing_else)
    assert reason.format(path=path) in text
    put(tmp_path / "new", PLACES[name][0], stand_ins[name].read_bytes())
    text = ask(package_path, ASK[name], tmp_path / "old", tmp_path / "new", LD_PRELOAD=nothing_else)
    assert SAYS[name].format(folder=tmp_path / "new") in text


@pytest.mark.parametrize("content, reason", BROKEN)
@pytest.mark.parametrize("choice", ["auto", "cuda"])
def test_a_broken_driver(choice, content, reason, package_path, tmp_path):
    library = put(tmp_path, "libcuda.so.1", content)
    code = "import gridcell; gridcell.activate(); from numba import cuda; print(cuda.get_current_device().is_emulated)"
    env = {**os.environ, "GRIDCELL_DEVICE": choice, "NUMBA_CUDA_DRIVER": str(library), "PYTHONPATH": package_path}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=100)
    last = done.stderr.splitlines()[-1]
    assert f"CUDA driver library cannot be loaded: {library}: {reason}" in last
    if choice == "auto":
        assert done.stdout == "True\n" and done.stderr.startswith("gridcell: no CUDA device found (")
    else:
        assert done.returncode == 1 and "CudaSupportError: " in last


def test_doctor_names_what_is_broken(gridcell, nothing_else, tmp_path):
    driver = put(tmp_path, "libcuda.so.1", b"no library")
    nvvm = put(tmp_path, "nvvm/libnvvm.so", b"no library")
    env = {**os.environ, "GRIDCELL_DEVICE": "auto", "NUMBA_CUDA_DRIVER": str(driver), "GRIDCELL_NVVM": str(nvvm),
           "CUDA_HOME": "", "CUDA_PATH": "", "CUDA_ROOT": "", "LD_PRELOAD": nothing_else}
    done = subprocess.run([gridcell, "doctor", "--python", sys.executable], env=env, capture_output=True, text=True,
                          timeout=100)
    assert f"(CUDA driver library cannot be loaded: {driver}: file too short)" in done.stdout
    assert f"PTX is made by LLVM: libnvvm cannot be loaded: {nvvm}: file too short" in done.stdout
