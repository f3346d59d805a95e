"""About this Python and this machine."""


def get_sys_info():
    """Facts by name."""
    import os
    import platform
    import sys
    import IPython
    return {"commit_source": "gridcell", "commit_hash": IPython.__version__, "ipython_version": IPython.__version__, "ipython_path": os.path.dirname(IPython.__file__),
            "sys_version": sys.version, "sys_executable": sys.executable, "sys_platform": sys.platform,
            "platform": platform.platform(), "os_name": os.name,
            "default_encoding": sys.getdefaultencoding()}


def sys_info():
    """The facts as a text."""
    import pprint
    return pprint.pformat(get_sys_info())


def num_cpus():
    import os
    return os.cpu_count() or 1
