"""ipywidgets: interact, observers, outputs and what widgets show"""
# %%
import ipywidgets as w
from ipywidgets import interact, interactive, fixed
interact(lambda x, y: x * y, x=3, y=fixed(2))
# %%
slider = w.IntSlider(3)
slider
# %%
seen = []
slider.observe(lambda change: seen.append(change["new"]), "value")
slider.value = 5
seen
# %%
out = w.Output()
with out:
    print("held")
out.outputs
# %%
@out.capture()
def told():
    print("held, too")
told()
len(out.outputs)
# %%
w.VBox([w.HTML("<b>x</b>"), w.Dropdown(options=["a", "b"])])
# %%
@interact(n=(0, 4), word=["a", "b"], is_on=True)
def shown(n, word, is_on):
    return n, word, is_on
