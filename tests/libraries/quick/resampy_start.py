"""resampy: 44,100 Hz to 22,050, 16,000 and 48,000"""
import numpy as np
import resampy

tone = np.sin(np.arange(44100) * 2 * np.pi * 440 / 44100)
for rate in (22050, 16000, 48000):
    made = resampy.resample(tone, 44100, rate)
    print("rate", rate, len(made), "%.9f" % np.abs(made).sum())
print("parallel", "%.9f" % np.abs(resampy.resample(tone, 44100, 22050, parallel=True)).sum())
