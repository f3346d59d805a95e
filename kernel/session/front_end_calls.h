// SPDX-License-Identifier: MIT
// The session's side of front_end.h.
#pragma once

struct kernel;

// Before Python starts, and after it ended: the calls of front_end.h reach this kernel.
void front_end_attach(struct kernel *kernel);
void front_end_detach(void);
