// SPDX-License-Identifier: Apache-2.0
// What the files of the translator share: its state, access to operands, and small helpers to build IR.
#ifndef HEDDLE_JIT_TRANSLATE_EMIT_H
#define HEDDLE_JIT_TRANSLATE_EMIT_H
#include "base/arena.h"
#include "base/map.h"
#include "jit/abi/check.h"
#include "jit/ir/dialect.h"
#include "jit/ir/ir.h"
#include "jit/translate/translate.h"
#include "jit/abi/count.h"
#include "jit/translate/reach/count.h"
#include "jit/translate/reach/reach.h"
#include "jit/translate/reach/support.h"

typedef LLVMValueRef value;

struct translator {
    LLVMContextRef cx;
    LLVMModuleRef mod;
    LLVMBuilderRef b;
    LLVMBuilderRef allocas; // at the end of the entry block's allocas
    LLVMTypeRef i1, i8, i16, i32, i64, i128, half, f32, f64, ptr, void_type;
    const struct ptx_module *m;
    const struct reach *reach;
    const struct count_plan *counts;     // the code is counted (count.c); NULL: it is not
    const struct count_func *count_func; // the function being translated
    struct translate_result *out;
    struct diag *d;
    struct arena arena;
    struct map functions; // struct ptx_func * -> LLVMValueRef
    bool whole_warps;
    unsigned inlined_reads; // of textures, times their dimensions
    struct map builtins;    // name -> LLVMValueRef, functions of src/jit/lib that are called
    // source lines (source.c)
    LLVMDIBuilderRef debug; // NULL: the text has none
    struct map files;       // number, plus one -> file
    struct map inlined,
        callers;                // names of inlined functions -> subprogram; "file:line:column" -> struct ptx_source_loc
    LLVMMetadataRef subprogram; // of the function being translated
    uint32_t subprogram_file;
    // the function being translated
    const struct ptx_func *f;
    value fn;
    value *regs; // allocas; a vector register has `width` of them in a row, regs[reg_at[r]] the first
    uint32_t *reg_at;
    struct map vars;           // struct ptx_var * -> alloca of a local, parameter or call parameter
    struct map kernel_params;  // variables of the kernel itself
    LLVMBasicBlockRef *blocks; // by instruction index: the block that begins there, or NULL
    LLVMBasicBlockRef ret_block;
    value exit_flag;           // pointer to an i8 that a function sets when the thread ends inside it; NULL: none
    value carry;               // alloca of CC.CF
    value matrix;              // alloca for matrix instructions of lanes, or NULL
    value stack;               // alloca of what stack_save said at the start; NULL: the function takes none
    const struct ptx_insn *in; // the current instruction
};

typedef bool emit_fn(struct translator *t, const struct ptx_insn *in);
typedef value value_fn(struct translator *t, const struct ptx_insn *in, value *a);                    // a: the operands
typedef value number_fn(struct translator *t, const struct ptx_insn *in, enum ptx_type ty, value *a); // of this type

// In checked code: what a barrier object or a copy does; address, number: NULL where there is none (build.c).
void tr_tell_object(struct translator *t, enum check_object how, value address, value number);
bool tr_tell_groups(struct translator *t, enum check_object commit, enum check_object wait);
// Of an access with the scope of a block, in checked code: that it is one (build.c).
void tr_mark_scope(struct translator *t, value access);

// --- types (build.c) ---
LLVMTypeRef tr_type_of(struct translator *t, enum ptx_type ty); // f16 and bf16 are i16, packed pairs i32, .pred i1
LLVMTypeRef tr_type_int(struct translator *t, unsigned bits);
unsigned tr_type_bits(enum ptx_type ty); // 1 for .pred
bool tr_type_is_signed(enum ptx_type ty);
bool tr_type_is_float(enum ptx_type ty); // f16, f32, f64, bf16 and the like
value tr_const_int(LLVMTypeRef type, uint64_t v);
value tr_const_i32(struct translator *t, uint32_t v);
value tr_const_i64(struct translator *t, uint64_t v);
value tr_const_f32(struct translator *t, float v);

// --- what every emitter stands on (build.c) ---
// For text that is wrong. What an emitter cannot do is a row of lack.def: it is refused before the emitter is called.
bool tr_fail(struct translator *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
LLVMBasicBlockRef tr_block_new(struct translator *t, const char *name);
value tr_alloca_at_entry(struct translator *t, LLVMTypeRef type, const char *name);
value tr_var_alloca(struct translator *t, const struct ptx_var *v);
value tr_new_alloca(struct translator *t, const struct ptx_var *v); // another one like it
value tr_shared_own(struct translator *t);                          // ptr addrspace(3): the block's shared memory
value tr_shared_base(
    struct translator *t); // where PTX's shared addresses count from: the same, or the cluster's window
value tr_shared_address(struct translator *t,
                        uint64_t offset); // i64: the shared address of an offset in the block's own
// A loop of a u32 from 0 on while it is below `end`; returns it, with the builder in the body.
struct tr_loop {
    LLVMBasicBlockRef head, done;
};
value tr_loop(struct translator *t, struct tr_loop *l, value end, uint32_t step);
void tr_loop_end(struct translator *t, const struct tr_loop *l);
value tr_gep(struct translator *t, value p, value bytes);                    // i64
value tr_step(struct translator *t, value p, int64_t bytes);                 // pointer + constant
value tr_part(struct translator *t, value v, unsigned at, LLVMTypeRef type); // the bits from `at` on
// Parts of the same size as one integer, the first in its low bits; and part i of such, as a value of this type of so many bits.
value tr_join(struct translator *t, value *parts, unsigned n, unsigned bits);
value tr_split(struct translator *t, value whole, unsigned i, unsigned bits, LLVMTypeRef type);
// Element i of a vector, or the operand itself, and how many there are.
static inline const struct ptx_operand *tr_element(const struct ptx_operand *o, unsigned i)
{
    return o->kind == PTX_OPERAND_VECTOR ? &o->list[i] : o;
}
static inline unsigned tr_elements(const struct ptx_operand *o)
{
    return o->kind == PTX_OPERAND_VECTOR ? o->nlist : 1;
}
// A member of the descriptor; it does not change while a kernel runs.
value tr_image_field(struct translator *t, value handle, LLVMTypeRef type, size_t offset);

// --- operands (operand.c) ---
// The operand's value as tr_type_of(ty). Registers of another size are truncated or extended, by the class of ty.
value tr_get(struct translator *t, const struct ptx_operand *o, enum ptx_type ty);
// Stores a value of tr_type_of(ty); a wider register gets it sign- or zero-extended, `_` drops it. True, as emitters end with it.
bool tr_put(struct translator *t, const struct ptx_operand *o, value v, enum ptx_type ty);
value tr_get_pred(struct translator *t, const struct ptx_operand *o);             // with its negation
enum ptx_type tr_operand_type(struct translator *t, const struct ptx_operand *o); // of a register; else PTX_TYPE_NONE
value tr_bits_resize(struct translator *t, value v, LLVMTypeRef to, bool is_signed);
value tr_bits_cast(struct translator *t, value v, LLVMTypeRef to); // same size
// One pointer for a memory operand, tagged with the address space.
value tr_address(struct translator *t, const struct ptx_operand *o, enum ptx_space space);
// Before an access of so many bytes: the thread faults where the address is not a multiple of them.
void tr_check_align(struct translator *t, const struct ptx_operand *o, enum ptx_space space, value p, unsigned bytes);
// The integer that PTX has for an address of the variable: shared variables give offsets.
value tr_var_address(struct translator *t, const struct ptx_var *v, int64_t offset);
value tr_sreg_value(struct translator *t, enum ptx_sreg s);

// --- calls into the dialect and the builtins (call.c) ---
value tr_op(struct translator *t, enum heddle_op op, value *args, unsigned nargs);
// With a result and a suffix of its own; a function of hooks.def.
value tr_op_typed(struct translator *t, enum heddle_op op, const char *suffix, LLVMTypeRef ret, value *args,
                  unsigned nargs);
value tr_hook(struct translator *t, LLVMTypeRef ret, const char *hook, value *args, unsigned nargs);
// A function of src/jit/lib: declared now, linked in the end. The result has type ret, arguments their own types. name as for printf.
value tr_call_lib(struct translator *t, LLVMTypeRef ret, value *args, unsigned nargs, const char *name, ...)
    __attribute__((format(printf, 5, 6)));
value tr_call_intrinsic(struct translator *t, const char *name, LLVMTypeRef *overloads, unsigned noverloads,
                        value *args, unsigned nargs);
// Of one type, with these arguments.
#define tr_intrinsic(t, name, type, ...)                                                                               \
    tr_call_intrinsic(t, name, (LLVMTypeRef[]){type}, 1, (value[]){__VA_ARGS__},                                       \
                      sizeof(value[]){__VA_ARGS__} / sizeof(value))

// --- functions and calls (invoke.c) ---
// Results that are scalar and single are returned; others are written through pointers that come first among the
// arguments. A function in which the thread may end gets a pointer to a flag before everything else.
LLVMTypeRef tr_call_signature(struct translator *t, const struct ptx_proto *p, bool may_exit);
unsigned tr_call_parts(const struct ptx_var *v); // a vector of registers is handed over in its parts
bool tr_call_returns_value(const struct ptx_proto *p);
bool tr_call_by_pointer(const struct ptx_var *v);

// --- source lines (source.c) ---
void tr_source_begin(struct translator *t);
void tr_source_function(struct translator *t);                            // t->f becomes t->fn
void tr_source_set(struct translator *t, const struct ptx_source_loc *s); // where the following instructions stand
void tr_source_locals(struct translator *t);
void tr_source_end(struct translator *t);

// --- counted code (count.c); nothing where the code is not counted ---
void tr_count_enter(struct translator *t);                // a function begins: where its local variables lie
void tr_count_block(struct translator *t, uint32_t insn); // where a basic block begins with this instruction
void tr_count_way(struct translator *t, const struct ptx_insn *in, value taken); // before a branch
void tr_count_guard(struct translator *t, const struct ptx_insn *in);
void tr_count_access(struct translator *t, const struct ptx_insn *in, enum count_kind kind, value p);
void tr_count_bulk(struct translator *t, const struct ptx_insn *in, value global, value bytes); // either may be NULL
void tr_count_stride(struct translator *t, const struct ptx_insn *in, value elements);
void tr_count_exit(struct translator *t);

// --- alloca (stack.c) ---
void tr_stack_enter(struct translator *t);
void tr_stack_leave(struct translator *t);

// --- control (control.c) ---
void tr_branch_to_exit(struct translator *t); // ends the thread here; leaves the builder in a fresh, unreachable block

// --- clusters (cluster.c) ---
value tr_cluster_bytes(struct translator *t);                        // i64: the size of the window
value tr_cluster_address(struct translator *t, value p, value rank); // the same location in the block with that rank
value tr_cluster_each(struct translator *t, struct tr_loop *l, value mask); // a loop over the ranks whose bits are set
emit_fn tr_cluster_barrier;

// --- arithmetic that several files need ---
value tr_float_ftz(struct translator *t, const struct ptx_insn *in, value v); // f32 with .ftz: subnormals to zero
value tr_half_ftz(struct translator *t, const struct ptx_insn *in, enum ptx_type ty, value bits); // the same of a half
value tr_half_get(struct translator *t, value bits, enum ptx_type ty); // f16 or bf16 bits as f32
value tr_half_put(struct translator *t, value f32, enum ptx_type ty);  // rounded to nearest even, as bits
value tr_saturate(struct translator *t, value v);                      // to 0 ... 1, a NaN to 0
value tr_relu(struct translator *t, value v);
const char *tr_directed(const struct ptx_insn *in); // the rounding: "rz", "rm", "rp"; NULL: to nearest
value tr_compare(struct translator *t, unsigned cmp, enum ptx_type ty, value a, value b);
// The operation of an atomic (PTX_MOD_ADD ...) on this type; false: there is none.
bool tr_rmw_op(unsigned op, enum ptx_type ty, LLVMAtomicRMWBinOp *out);
emit_fn tr_copy_bulk, tr_copy_arrive, tr_reduce_bulk, tr_copy_tensor; // forms of cp.async
void tr_mbarrier_complete(struct translator *t, value p, value n);    // n bytes of a transfer, to the barrier at p
number_fn tr_int_add, tr_int_mul, tr_int_mad, tr_int_div, tr_int_minmax, tr_int_sign;
number_fn tr_float_binary, tr_float_mad, tr_float_minmax, tr_float_sign, tr_float_inverse, tr_float_transcendental;

// --- emitters, by table ---
#define EMIT(op, name)         emit_fn tr_emit_##name;
#define VALUE(op, name, types) value_fn tr_value_##name;
#include "jit/translate/emit.def"

// Links the builtins that were called (builtin.c).
bool tr_builtins_link(struct translator *t);
#endif
