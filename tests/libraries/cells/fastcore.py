"""fastcore: its lists, patches, tests and what it shows of functions"""
# %%
from fastcore.all import *
from fastcore.docments import docments
IN_NOTEBOOK, IN_IPYTHON
# %%
@patch
def twice(self: int): return self * 2
# %%
def f(a: int = 1,  # the first
      b: str = "x",  # the second
      ) -> bool:  # whether
    "Docs."
docments(f)
# %%
f?
# %%
L(3, 1, 2).sorted(), L.range(20)
# %%
test_eq(1, 2)
# %%
from fastcore.xtras import *
dict2obj({"a": 1, "b": {"c": [1, 2]}})
# %%
@call_parse
def main(n: int = 3): "says n"; return n
main()
# %%
from fastcore.nb_imports import *
from fastcore.basics import ipython_shell, in_notebook, in_ipython, in_colab
in_notebook(), in_ipython(), in_colab(), type(ipython_shell()).__name__
