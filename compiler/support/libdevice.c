// SPDX-License-Identifier: MIT
// The table of NVIDIA's libdevice.
#include "compiler/support/libdevice.h"

#include "compiler/types/type.h"

const struct libdevice libdevice_functions[] = {
#define LIBDEVICE(signature, name, code) {"__nv_" #name, #signature},
#include "compiler/support/libdevice.def"
#undef LIBDEVICE
};

const struct type *libdevice_type(char code)
{
    return code == 'D'   ? type_float64
           : code == 'F' ? type_float32
           : code == 'L' ? type_int64
                         : type_int32;
}
