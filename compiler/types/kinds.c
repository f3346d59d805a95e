// SPDX-License-Identifier: MIT
// The table of kinds, as kinds.def has it.
#include "compiler/types/kinds.h"

const struct type_traits type_traits[TYPE_KIND_COUNT] = {
#define KIND(                                                                            \
        id, shape, size, alignment, leaves, counted, detail, role, form, dtype, ...)     \
    {#id, SHAPE_##shape, size, alignment, leaves, COUNTED_##counted, DETAIL_##detail,    \
            ROLE_##role, FORM_##form, dtype},
#include "compiler/types/kinds.def"
};
