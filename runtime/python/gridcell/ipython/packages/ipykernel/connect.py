"""Where the kernel can be reached."""
import json

import _gridcell_kernel as _kernel


def get_connection_file(app=None):
    """The connection file's path."""
    return _kernel.connection_file()


def get_connection_info(connection_file=None, unpack=False):
    """The connection file's text, or its content."""
    with open(connection_file or _kernel.connection_file(), encoding="utf-8") as file:
        text = file.read()
    return json.loads(text) if unpack else text
