// SPDX-License-Identifier: MIT
// The ways out of a body: its return, failures, errors of our own, and the question
// whether to stop. All free what the body owns, and go to a handler where there is one.
#pragma once

#include "compiler/codegen/base/body.h"

void control_return(struct body *body, value status);
// Ends the function itself; what it owned is released.
void control_leave(struct body *body, value status);
// Index + 1 of a new entry in the table of raise sites.
int codegen_raise_site(struct body *body, enum error_kind kind, const char *class_name,
        void *class_object, const char *message, struct span span);
// Leaves the function with the error when `condition` holds; goes on in a new block.
void control_raise_if(struct body *body, value condition, enum error_kind kind,
        const char *message, struct span span);
// Leaves the function with an exception whose text Python's % makes of the format and of
// the tuple of numbers; in device code the message is `plain`.
void control_raise_format_if(struct body *body, value condition, enum error_kind kind,
        const char *plain, const char *format, const struct type *tuple,
        const value *leaves, struct span span);
// Leaves the function when it is asked to stop.
void control_poll(struct body *body);
// Asks only when `condition` holds.
void control_poll_if(struct body *body, value condition);
void control_fail_if(struct body *body, value condition, value status);
// Leaves the function if the status of a call says that it failed.
void control_check_call(struct body *body, value status, struct span span);
