# SPDX-License-Identifier: MIT
"""numba.core.datamodel.manager: which types have which models."""
from numba.core.extension import registry


def register_default(fetypecls):
    """register_model(class of types)

    Says which model values of a class of types have.

    fetypecls: the class, below types.Type. The decorated class is a model: it is made with (a manager, a type).

    Example:
        class MassType(types.Type):
            def __init__(self):
                super().__init__(name="Mass")

        @register_model(MassType)
        class MassModel(models.StructModel):
            def __init__(self, dmm, fe_type):
                super().__init__(dmm, fe_type, [("grams", types.float64)])
    """
    def register(model):
        registry.register_model_of(fetypecls, model)
        return model
    return register


class DataModelManager:
    """The models of types."""

    def register(self, fetypecls, handler):
        """Says which model values of a class of types have."""
        registry.register_model_of(fetypecls, handler)

    def lookup(self, fetype):
        """The model of a type; TypingError where a program added it, and no model."""
        from numba.core.datamodel.models import DataModel
        return registry.layout_of(fetype).model if registry.is_extension(fetype) else DataModel(self, fetype)

    __getitem__ = lookup
