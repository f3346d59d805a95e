# SPDX-License-Identifier: MIT
"""numba.cuda.models: of what values of a program's own types consist, in kernels as on the CPU."""
from numba.core.datamodel import default_manager as cuda_data_manager
from numba.core.datamodel import models, register_default
from numba.core.datamodel.models import FloatModel, StructModel

register_model = register_default
