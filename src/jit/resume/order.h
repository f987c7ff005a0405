#ifndef HEDDLE_JIT_ORDER_H
#define HEDDLE_JIT_ORDER_H
#include <llvm-c/Core.h>

// Puts barriers between loads of shared memory and stores of other threads to the same places, where the program has
// forgotten them; how many. `block`: the block's shape.
unsigned order_separate(LLVMValueRef kernel, const unsigned block[3]);
#endif
