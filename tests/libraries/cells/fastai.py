"""fastai: training with its bars and tables, and doc(); torch, fastprogress"""
# %%
from fastai.basics import *
from fastcore.test import test_close
set_seed(1)
x = torch.linspace(-1, 1, 64)[:, None]
pairs = [(a, 2 * a + 1) for a in x]
loaders = DataLoaders.from_dsets(pairs[:48], pairs[48:], bs=16)
learn = Learner(loaders, nn.Linear(1, 1), loss_func=F.mse_loss, lr=0.1, model_dir=".")
# %%
with learn.no_bar():
    learn.fit(1)
# %%
learn.fit(1)
# %%
learn.recorder.metric_names
# %%
doc(Learner.fit)
