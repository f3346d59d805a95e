"""rich: its printing, and its tracebacks in place of the notebook's"""
# %%
from rich import print as show
show("[bold]x[/bold]", {"a": 1})
# %%
%load_ext rich
1, {"a": 2}
# %%
1 / 0
