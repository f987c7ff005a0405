// SPDX-License-Identifier: Apache-2.0
#ifndef HEDDLE_JIT_ORDER_H
#define HEDDLE_JIT_ORDER_H
#include <llvm-c/Core.h>

// Yields between loads and stores of other threads to the same locations, where the program has no barrier; how many.
// `block`: the block's shape.
unsigned order_insert_yields(LLVMValueRef kernel, const unsigned block[3]);
#endif
