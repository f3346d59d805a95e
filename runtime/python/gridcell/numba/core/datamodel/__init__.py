# SPDX-License-Identifier: MIT
"""numba.core.datamodel: of what values of a program's own types consist."""
from numba.core.datamodel import models
from numba.core.datamodel.manager import DataModelManager
from numba.core.datamodel.models import DataModel, OpaqueModel, PrimitiveModel, StructModel
from numba.core.datamodel.registry import default_manager, register_default
