// SPDX-License-Identifier: MIT
// Iterators: GETITER, ITERNEXT and what they yield.
#pragma once

#include "compiler/codegen/base/body.h"

emitter iter_open, iter_next, iter_item;
