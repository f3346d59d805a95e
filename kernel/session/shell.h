// SPDX-License-Identifier: MIT
// Requests that run Python, one after another on the thread of their lane.
#pragma once

#include <stdbool.h>

struct kernel;
struct lane;
struct message;

// Main thread: serves the main lane's requests until shutdown.
void shell_loop(struct kernel *kernel);
// Serves one request; takes it.
void shell_serve(struct lane *lane, struct message *message_stolen);
// Lets background tasks run; the milliseconds until they want to again, or -1, and the
// descriptor that they wait for, or -1.
int shell_idle(struct lane *lane, int *fd);
// Serves the comm messages that wait, while a cell waits for something itself.
void shell_serve_comms(struct kernel *kernel);
// I/O thread: hands a request to the main thread.
void shell_push(struct kernel *kernel, struct message *message_stolen);

// Any thread. Whether it asks about code, and changes nothing.
bool message_is_question(const struct message *message);
bool message_is_comm(const struct message *message);
