"""arch: a GARCH model of 1,000 returns"""
import numpy as np
from arch import arch_model

returns = np.random.RandomState(0).standard_normal(1000)
print("garch", *("%.6f" % x for x in arch_model(returns, vol="GARCH", p=1, q=1).fit(disp="off").params))
