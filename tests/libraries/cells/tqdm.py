"""tqdm: bars of widgets; ipywidgets"""
# %%
from tqdm.auto import tqdm
list(tqdm(range(2)))
