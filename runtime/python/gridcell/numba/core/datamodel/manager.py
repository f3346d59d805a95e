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
    """The models of a program's own types."""

    def register(self, fetypecls, handler):
        """Says which model values of a class of types have."""
        registry.register_model_of(fetypecls, handler)

    def lookup(self, fetype):
        """The model of a type that a program added; TypingError where it has none."""
        return registry.layout_of(fetype).model

    __getitem__ = lookup
