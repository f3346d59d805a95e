"""nbdev: show_doc(), lists of fastcore and bars of fastprogress; fastcore, fastprogress"""
# %%
from nbdev.showdoc import show_doc
def foo(a: int = 1) -> str:
    "Docs here"
    return str(a)
show_doc(foo)
# %%
from fastcore.all import L
L(1, 2, 3).map(lambda x: x + 1)
# %%
from fastprogress import progress_bar
for i in progress_bar(range(3)):
    pass
