"""Where the kernel can be reached."""
import json

import _gridcell_kernel as _kernel
from gridcell.ipython.paths import fall_through as _fall_through

__getattr__ = _fall_through(__name__)


def get_connection_file(app=None):
    """The connection file's path."""
    return _kernel.connection_file()


def get_connection_info(connection_file=None, unpack=False):
    """The connection file's text, or its content."""
    with open(connection_file or _kernel.connection_file(), encoding="utf-8") as file:
        text = file.read()
    return json.loads(text) if unpack else text


def connect_qtconsole(connection_file=None, argv=None, profile=None):
    """Starts a Qt console on this kernel; its process."""
    import subprocess
    import sys
    return subprocess.Popen([sys.executable, "-m", "qtconsole", "--existing",
                             connection_file or get_connection_file(), *(argv or [])],
                            start_new_session=True)
