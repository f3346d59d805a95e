"""torch: tensors, gradients, models, and an error in one; numpy"""
# %%
import torch
torch.manual_seed(0)
x = torch.arange(4.0, requires_grad=True)
x
# %%
(x ** 2).sum().backward()
x.grad
# %%
net = torch.nn.Sequential(torch.nn.Linear(4, 2), torch.nn.ReLU())
net
# %%
net(torch.zeros(3))
# %%
import numpy as np
torch.from_numpy(np.eye(2)) @ torch.ones(2, dtype=torch.float64)
# %%
%timeit -n1 -r1 net(torch.zeros(4))
# %%
loader = torch.utils.data.DataLoader(list(range(4)), batch_size=2, num_workers=1)
[batch.tolist() for batch in loader]
# %%
torch.jit.script(torch.nn.ReLU())
# %%
torch.zeros(2, 2) @ torch.ones(3)
# %%
net?
