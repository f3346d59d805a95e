"""stumpy: the matrix profile of 2,000 values, and a pattern's places"""
import numpy as np
import stumpy

random = np.random.RandomState(0)
values = random.rand(2000).cumsum()
profile = stumpy.stump(values, m=50)
print("stump", "%.9f" % profile[:, 0].astype(float).sum(), profile[:, 1].astype(int).sum())
print("match", *stumpy.match(values[100:150], values)[0])
print("mass", "%.9f" % stumpy.mass(values[100:150], values).sum())
