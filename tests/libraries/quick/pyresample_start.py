"""pyresample: a swath of 200 by 200 points on a grid, by neighbours and their weights"""
import warnings

import numpy as np
from pyresample import create_area_def, geometry, kd_tree

warnings.simplefilter("ignore")
lons, lats = np.meshgrid(np.linspace(5, 15, 200), np.linspace(45, 55, 200))
data = np.sin(lons) + np.cos(lats)
swath = geometry.SwathDefinition(lons=lons, lats=lats)
area = create_area_def("map", {"proj": "laea", "lat_0": 50, "lon_0": 10}, width=80, height=90,
                       area_extent=(-3e5, -3e5, 3e5, 3e5))
near = kd_tree.resample_nearest(swath, data, area, radius_of_influence=2e4, fill_value=np.nan)
print("nearest", "%.9g" % np.nansum(near), np.isnan(near).sum())
smooth = kd_tree.resample_gauss(swath, data, area, radius_of_influence=2e4, sigmas=8e3, fill_value=np.nan)
print("gauss", "%.9g" % np.nansum(smooth))
