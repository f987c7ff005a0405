#ifndef HEDDLE_JIT_ORDER_H
#define HEDDLE_JIT_ORDER_H
#include <llvm-c/Core.h>

// Puts barriers between loads and stores of other threads to the same places, where the program has forgotten them, or puts
// the stores off; how many of both. `block`: the block's shape.
unsigned order_separate(LLVMValueRef kernel, const unsigned block[3]);
#endif
