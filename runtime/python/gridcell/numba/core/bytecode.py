# SPDX-License-Identifier: MIT
"""numba.core.bytecode: what a function is called by."""
import inspect
import itertools

from gridcell.absent import refuse_all


class FunctionIdentity:
    """A function's names and place; programs that fork have `_unique_ids` count otherwise."""

    _unique_ids = itertools.count(1)

    @classmethod
    def from_function(cls, pyfunc):
        """That of a function, or of what was jitted of one."""
        func = getattr(pyfunc, "py_func", pyfunc)
        self, code = cls(), func.__code__
        self.func, self.code = func, code
        self.func_qualname, self.func_name = func.__qualname__, func.__name__.split(".")[-1]
        self.module = inspect.getmodule(func)
        self.modname = func.__module__ if self.module is None else self.module.__name__
        self.is_generator = inspect.isgeneratorfunction(func)
        self.pysig = inspect.signature(func)
        self.filename, self.firstlineno = code.co_filename, code.co_firstlineno
        self.arg_count, self.arg_names = len(self.pysig.parameters), list(self.pysig.parameters)
        self.unique_id = next(cls._unique_ids)
        self.unique_name = f"{self.func_qualname}${self.unique_id}"
        return self


__getattr__ = refuse_all("numba.core.bytecode", "works on Python's bytecode, which gridcell does not read: its compiler starts "
                         "from the text of functions.")
