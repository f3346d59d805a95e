// SPDX-License-Identifier: MIT
// Calls into compiled code that survive faults of the machine in it.
#pragma once

#include <stdint.h>

#include "compiler/types/abi.h"

struct fault {
    int signal;
    void *address; // that was accessed
    void *place;   // of the instruction
};

// Installs the handlers, again if someone replaced them. Called at each compilation.
void fault_watch(void);
// Calls entry(result, args) on any thread; a fault in it is STATUS_FAULT.
int32_t fault_call(abi_entry entry, void *result, const void *args);
// What the last STATUS_FAULT of this thread was.
const struct fault *fault_last(void);
void fault_set_last(const struct fault *fault);
