// SPDX-License-Identifier: Apache-2.0
// What addresses are made of: base pointers and constant distances, objects, parameters of the kernel.
#ifndef HEDDLE_JIT_ADDRESS_H
#define HEDDLE_JIT_ADDRESS_H
#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

// The pointer less the constant numbers of bytes that are added to it, and their sum. Two addresses of one base are apart by the
// difference of the sums.
LLVMValueRef address_base(LLVMValueRef pointer, int64_t *bytes);
// The same, and of a pointer that is made of a number, the number.
LLVMValueRef address_source(LLVMValueRef pointer, int64_t *bytes);
// What the address leads into: a load of constant memory (a parameter of the kernel), an alloca, the result of a call, to which
// numbers are added, also in a loop. NULL: not found, or there may be two.
LLVMValueRef address_object(LLVMValueRef address);
// The same, also where the object's own address was cast to a number, as in code that LLVM has not simplified.
LLVMValueRef address_variable(LLVMValueRef address);
// A load of the kernel's parameters at a constant offset.
bool address_parameter(LLVMValueRef x, int64_t *offset);
#endif
