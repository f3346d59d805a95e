"""plotly: figures of plotly, altair and bokeh; nbformat, pandas, altair, bokeh"""
# %%
import plotly.graph_objects as go, plotly.io as pio
go.Figure(data=[go.Scatter(y=[1, 3, 2])])
# %%
pio.renderers.default
# %%
go.Figure(data=[go.Bar(y=[1])]).show()
# %%
pio.renderers.default = "notebook_connected"
go.Figure(data=[go.Bar(y=[1])]).show()
# %%
import altair as alt, pandas as pd
frame = pd.DataFrame({"a": [1, 2], "b": [3, 4]})
alt.Chart(frame).mark_line().encode(x="a", y="b")
# %%
alt.renderers.enable("mimetype")
alt.Chart(frame).mark_bar().encode(x="a:N", y="b")
# %%
from bokeh.plotting import figure, show, output_notebook
output_notebook()
# %%
p = figure(width=200, height=200)
p.line([1, 2], [3, 4])
show(p)
