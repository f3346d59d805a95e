"""ipykernel: what IPython itself does: history, searches, prompts, tracebacks, displays, and errors in cells; numpy"""
# %%
x = 1
# %%
%history -n
# %%
%history -t -n 1
# %%
# answers: w|p a|u|p b|q
def g():
    a = 5
    return 1 / 0
b = 3
g()
# %%
# answers: w|p a|u|p b|q
%debug
# %%
# answers: p a|q
import pdb
pdb.pm()
# %%
{key: value for key, value in ip.object_inspect("x").items() if value is not None}
# %%
sorted(ip.object_inspect("%timeit"))
# %%
import this_is_none
# %%
ip.run_cell("1 / 0").error_in_exec
# %%
%%bash
echo hi; echo no >&2; exit 3
# %%
!echo a b | tr a-z A-Z
# %%
a = !printf 'x y\nz w\n'
a.fields(0), a.grep("x"), a.s, a.n
# %%
%config InlineBackend
# %%
%alias say echo said %s
%say hello
# %%
%env NOSUCHVAR
# %%
%set_env A_B=3
# %%
%whos int
# %%
%who_ls function
# %%
%pdef g
# %%
%psource g
# %%
%magic_nosuch
# %%
%%nosuch
1
# %%
%macro m 1
m
# %%
%rerun 1
# %%
%notebook out.ipynb
# %%
%logstate
# %%
%xmode Minimal
1 / 0
# %%
%xmode Plain
g()
# %%
%xmode Verbose
g()
# %%
%xmode Context
# %%
%precision 3
3.14159
# %%
%reset -f
x
# %%
assert 1 == 2, "said"
# %%
def f(:
# %%
  y = 1
 z = 2
# %%
print("a", end=""); import sys; print("b", file=sys.stderr)
# %%
class B:
    def _repr_html_(self): return "<b>"
    def _repr_png_(self): return None
    def _repr_mimebundle_(self, include=None, exclude=None): return {"text/x": "1"}, {"text/x": {"k": 1}}
B()
# %%
import warnings; warnings.warn("w")
# %%
await __import__("asyncio").sleep(0, 5)
# %%
async for i in nosuch(): pass
# %%
from IPython.display import *
display(HTML("x"), Markdown("*y*"), display_id="d"); update_display(JSON({"a": 1}), display_id="d"); clear_output()
# %%
get_ipython().system("exit 4"); _exit_code
# %%
%pprint
list(range(3))
# %%
%autoawait
# %%
%history -g x =
# %%
%psearch -i X*
# %%
%psearch -c X*
# %%
ip.Completer.complete("\\alpha"), ip.complete("\\alp")[1], ip.complete("x.bit_l")[1]
# %%
from IPython.display import *
display(HTML("x"), Markdown("*y*"), display_id="d"); update_display(JSON({"a": 1}), display_id="d"); clear_output()
# %%
import numpy as np
%pinfo np.eye
# %%
class Text:
    "Docs."
    def __str__(self): return "two\nlines"
text = Text.__new__(Text)
len(get_ipython().object_inspect("text")["string_form"])
