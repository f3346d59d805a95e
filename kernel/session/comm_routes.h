// SPDX-License-Identifier: MIT
// To which lane the answer to a question over a comm goes.
#pragma once

#include <jansson.h>
#include <stdbool.h>

struct kernel;
struct message;
struct comm_routes;

// The calling thread sends a comm message with this content.
void comm_routes_note(struct kernel *kernel, const json_t *content);
// Whether the message answers such a one; gives the id of the lane that sent it.
bool comm_routes_take(
        struct kernel *kernel, const struct message *message, char lane[37]);
void comm_routes_finish(struct kernel *kernel);
