"""Folders for a while."""
import os
from tempfile import TemporaryDirectory


class NamedFileInTemporaryDirectory:
    """A file of a given name in a folder of its own."""

    def __init__(self, filename, mode="w+b", bufsize=-1, add_to_syspath=False, **kwds):
        self._folder = TemporaryDirectory(**kwds)
        self.file = open(os.path.join(self._folder.name, filename), mode, bufsize)

    def __enter__(self):
        return self.file

    def __exit__(self, *_):
        self.cleanup()

    def cleanup(self):
        self.file.close()
        self._folder.cleanup()

    close = cleanup


class TemporaryWorkingDirectory(TemporaryDirectory):
    """A folder that is the working folder inside a with statement."""

    def __enter__(self):
        self._before = os.getcwd()
        os.chdir(self.name)
        return super().__enter__()

    def __exit__(self, *problem):
        os.chdir(self._before)
        return super().__exit__(*problem)
