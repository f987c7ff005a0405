// SPDX-License-Identifier: Apache-2.0
// Debug information of the code that is emitted in the end.
#ifndef HEDDLE_JIT_DEBUG_H
#define HEDDLE_JIT_DEBUG_H
#include "jit/ir/region.h"
#include "ptx/ptx.h"
#include <llvm-c/DebugInfo.h>

// The subprogram that a scope is part of; NULL: none.
LLVMMetadataRef debug_subprogram(LLVMContextRef context, LLVMMetadataRef scope);

// debug/variables.c: the variables of functions compiled with -G, from the DWARF in the PTX.
struct debug_variables;
struct debug_variables *debug_variables_create(const struct ptx_module *m, LLVMContextRef context,
                                               LLVMDIBuilderRef builder);
void debug_variables_destroy(struct debug_variables *v);
const struct dwarf *debug_variables_dwarf(const struct debug_variables *v);
LLVMMetadataRef debug_variables_type(struct debug_variables *v,
                                     uint32_t type); // of the entry at this offset; NULL: none
// Makes variables of what the calls heddle.locals in the function tell, and takes these away.
void debug_variables_add(struct debug_variables *v, LLVMValueRef function);

// debug/scopes.c: threadIdx and the like and the variables of block and module, as variables of a function of one thread and of
// those inlined in it. v: NULL where there are no variables of the source.
struct compilation;
void debug_surroundings(struct compilation *c, struct debug_variables *v, LLVMValueRef function, LLVMMetadataRef own);
#endif
