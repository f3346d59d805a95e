// SPDX-License-Identifier: MIT
// Primitives of CUDA, on GPUs and on the emulated device.
#pragma once

#include "compiler/codegen/base/body.h"

void cuda_primitive(struct body *body, const struct ir_instr *instr, value *out);
void atomic_primitive(struct body *body, const struct ir_instr *instr, value *out);
void foreign_call(struct body *body, const struct ir_instr *instr, value *out);
void warp_primitive(struct body *body, const struct ir_instr *instr, value *out);
void cached_primitive(struct body *body, const struct ir_instr *instr, value *out);
void libdevice_primitive(struct body *body, const struct ir_instr *instr, value *out);
// The regular rows of compiler/types/intrinsics.def, on all targets.
void intrinsic_primitive(struct body *body, const struct ir_instr *instr, value *out);
