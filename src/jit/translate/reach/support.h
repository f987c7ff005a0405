// SPDX-License-Identifier: Apache-2.0
// What the translator has and lacks, told from the PTX alone. Free of LLVM: modules are checked when they are loaded.
#ifndef HEDDLE_JIT_TRANSLATE_SUPPORT_H
#define HEDDLE_JIT_TRANSLATE_SUPPORT_H
#include "base/diag.h"
#include "ptx/ptx.h"

#define MOD_OF(in, category) ((in)->mods[PTX_MODCAT_##category])

// NULL: the instruction can be translated. Else what is lacking, as words for a message.
const char *support_lack(const struct ptx_insn *in);
// "not supported: what: 'insn'" at the instruction's line. Returns false.
bool support_refuse(const struct ptx_func *f, const struct ptx_insn *in, const char *what, struct diag *d);
// Refuses every instruction of f that is lacking. With `whole`, f belongs to a module that is linked, so that calls of
// functions without a body are refused as well.
bool support_check(const struct ptx_func *f, bool whole, struct diag *d);
unsigned support_per_word(enum ptx_type ty); // elements of a matrix in a register; 0: not a type that matrices may have
#endif
