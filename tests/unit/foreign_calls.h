// SPDX-License-Identifier: MIT
// Calls that come from a library that is not the kernel's, as those of a cell do.
#pragma once

int foreign_close(int fd);
int foreign_dup2(int from, int to);
int foreign_close_range(unsigned first, unsigned last);
