# SPDX-License-Identifier: MIT
"""numba.core.datamodel.registry"""
from numba.core.datamodel.manager import DataModelManager, register_default

default_manager = DataModelManager()
register = register_default
