"""vectorbt: indicators, signals and portfolios of two years of prices"""
import warnings

import numpy as np
import pandas as pd

warnings.simplefilter("ignore")
import vectorbt as vbt

rng = np.random.default_rng(10)
prices = pd.DataFrame(100 * np.exp(np.cumsum(rng.normal(0, 0.01, (500, 3)), 0)), columns=list("abc"),
                      index=pd.date_range("2020-01-01", periods=500))


def show(name, values):
    values = np.asarray(values, dtype=float)
    print(name, "%.9g" % np.nansum(values), *values.shape)


fast, slow = vbt.MA.run(prices, 10), vbt.MA.run(prices, 30)
show("rsi", vbt.RSI.run(prices, 14).rsi)
show("bands", vbt.BBANDS.run(prices).upper)
entries, exits = fast.ma_crossed_above(slow), fast.ma_crossed_below(slow)
portfolio = vbt.Portfolio.from_signals(prices, entries, exits, fees=0.001, freq="1D")
show("total", portfolio.total_return())
show("drawdown", portfolio.max_drawdown())
show("sharpe", portfolio.sharpe_ratio())
show("trades", portfolio.trades.pnl.to_pd().fillna(0))
show("rolling", prices.vbt.rolling_std(20))
show("signals", entries.vbt.signals.first())
