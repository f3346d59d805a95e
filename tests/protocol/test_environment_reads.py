"""Cells and the start of Python change the environment; getenv on another thread would meanwhile read freed memory."""
import subprocess

# Writes a line for each name that is read on another thread than the first.
WATCH = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>
static char *watch(const char *reader, const char *name)
{
    char *(*read)(const char *) = (char *(*)(const char *))dlsym(RTLD_NEXT, reader);
    char thread[32] = "";
    FILE *log = gettid() != getpid() ? fopen("LOG", "ae") : NULL;
    prctl(PR_GET_NAME, thread);
    if (log) {
        fprintf(log, "%s reads %s\\n", thread, name);
        fclose(log);
    }
    return read(name);
}
// libc's own reads are not seen: the first date reads TZ, unless tzset() was called
static int has_zone;
void tzset(void)
{
    has_zone = 1;
    ((void (*)(void))dlsym(RTLD_NEXT, "tzset"))();
}
struct tm *gmtime_r(const time_t *when, struct tm *parts)
{
    if (!has_zone)
        watch("getenv", "TZ");
    return ((struct tm *(*)(const time_t *, struct tm *))dlsym(RTLD_NEXT, "gmtime_r"))(when, parts);
}
char *getenv(const char *name) { return watch("getenv", name); }
char *secure_getenv(const char *name) { return watch("secure_getenv", name); }
"""

CELLS = ["1 + 1", "import os\nfor i in range(2000): os.environ[f'A{i}'] = 'b' * i", "import numpy\nprint(numpy.ones(3))",
         "import threading\nt = threading.Thread(target=print, args=('hi',)); t.start(); t.join()", "%history -n"]


def test_only_the_main_thread_reads_the_environment(start_kernel, tmp_path):
    (tmp_path / "watch.c").write_text(WATCH.replace("LOG", str(tmp_path / "log")))
    subprocess.run(["cc", "-shared", "-fPIC", "-o", tmp_path / "watch.so", tmp_path / "watch.c"], check=True)
    kernel = start_kernel(env={"LD_PRELOAD": str(tmp_path / "watch.so"), "GRIDCELL_HISTORY": str(tmp_path / "h.sqlite")})
    for cell in CELLS:
        assert kernel.run(cell).content["status"] == "ok"
    rows = kernel.ask("history_request", {"hist_access_type": "tail", "n": 9, "raw": True, "output": False})
    assert len(rows.content["history"]) == len(CELLS)
    assert "environ" in kernel.ask("complete_request", {"code": "os.envi", "cursor_pos": 7}).content["matches"]
    assert kernel.ask("usage_request", {}, "control").content["kernel_memory"] > 0
    kernel.run("import ctypes\nctypes.CDLL(None).getenv(b'PATH')\n"
               "t = threading.Thread(target=ctypes.CDLL(None).getenv, args=(b'WATCHED',)); t.start(); t.join()")
    lines = [line for line in (tmp_path / "log").read_text().splitlines()
             if " __NVML_" not in line]  # which the driver's management library reads once, on a thread of its own
    assert len(lines) == 1 and lines[0].endswith("reads WATCHED"), lines
