// SPDX-License-Identifier: Apache-2.0
// Small questions about LLVM IR, and edits of it, that several parts of the JIT have.
#ifndef HEDDLE_JIT_IR_H
#define HEDDLE_JIT_IR_H
#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Address spaces of the dialect (docs/dialect.md).
enum { AS_GENERIC = 0, AS_GLOBAL = 1, AS_SHARED = 3, AS_CONST = 4, AS_LOCAL = 5 };

static inline unsigned ir_space(LLVMValueRef pointer)
{
    return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
}

static inline bool ir_is_opcode(LLVMValueRef x, LLVMOpcode op)
{
    return LLVMIsAInstruction(x) && LLVMGetInstructionOpcode(x) == op;
}

// Whether an opcode is one of these, and whether x is an instruction with one of them: IR_IS(x, LLVMAdd, IR_ATOMICS).
bool opcode_in(LLVMOpcode op, const LLVMOpcode *list, size_t n);
#define OPCODE_IN(op, ...)                                                                                             \
    opcode_in(op, (const LLVMOpcode[]){__VA_ARGS__}, sizeof(LLVMOpcode[]){__VA_ARGS__} / sizeof(LLVMOpcode))
#define IR_IS(x, ...)   (LLVMIsAInstruction(x) && OPCODE_IN(LLVMGetInstructionOpcode(x), __VA_ARGS__))
#define IR_ATOMICS      LLVMAtomicRMW, LLVMAtomicCmpXchg, LLVMFence
#define IR_DIVISIONS    LLVMUDiv, LLVMSDiv, LLVMURem, LLVMSRem
#define IR_EXTENSIONS   LLVMSExt, LLVMZExt, LLVMTrunc
#define IR_POINTER_CAST LLVMIntToPtr, LLVMPtrToInt
#define IR_SAME_NUMBER                                                                                                 \
    IR_EXTENSIONS, IR_POINTER_CAST, LLVMAddrSpaceCast, LLVMFreeze // of their operand, but for what is cut off

// Run over the functions of a module, those that have a body, and over the instructions of a block and of a function.
#define FOR_MODULE(m, f) for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
#define FOR_DEFINED(m, f)                                                                                              \
    FOR_MODULE (m, f)                                                                                                  \
        if (!LLVMIsDeclaration(f))
#define FOR_INSTRUCTIONS(block, x)                                                                                     \
    for (LLVMValueRef x = LLVMGetFirstInstruction(block); x; x = LLVMGetNextInstruction(x))
#define FOR_FUNCTION(f, x)                                                                                             \
    for (LLVMBasicBlockRef block_ = LLVMGetFirstBasicBlock(f); block_; block_ = LLVMGetNextBasicBlock(block_))         \
        FOR_INSTRUCTIONS (block_, x)
// The same where the body may erase or move x; and over the phis of a block.
#define FOR_INSTRUCTIONS_SAFE(block, x)                                                                                \
    for (LLVMValueRef x = LLVMGetFirstInstruction(block), next_; x && (next_ = LLVMGetNextInstruction(x), true);       \
         x = next_)
#define FOR_FUNCTION_SAFE(f, x)                                                                                        \
    for (LLVMBasicBlockRef block_ = LLVMGetFirstBasicBlock(f); block_; block_ = LLVMGetNextBasicBlock(block_))         \
        FOR_INSTRUCTIONS_SAFE (block_, x)
#define FOR_PHIS(block, x)                                                                                             \
    for (LLVMValueRef x = LLVMGetFirstInstruction(block); x && LLVMIsAPHINode(x); x = LLVMGetNextInstruction(x))
#define FOR_PHIS_SAFE(block, x)                                                                                        \
    for (LLVMValueRef x = LLVMGetFirstInstruction(block), next_;                                                       \
         x && LLVMIsAPHINode(x) && (next_ = LLVMGetNextInstruction(x), true); x = next_)
#define FOR_USES(of, u) for (LLVMUseRef u = LLVMGetFirstUse(of); u; u = LLVMGetNextUse(u))

// Of a load, store or atomic: where it is, and what is loaded or stored there. NULL: it is none.
LLVMValueRef ir_address(LLVMValueRef access);
LLVMTypeRef ir_access_type(LLVMValueRef access);
// A load of what does not change while the kernel runs.
bool ir_is_invariant(LLVMValueRef load);
void ir_mark_invariant(LLVMValueRef load);
// Of a metadata kind of this name.
LLVMValueRef ir_metadata(LLVMValueRef x, const char *kind);
void ir_set_metadata(LLVMValueRef x, const char *kind, LLVMValueRef node);
// Of an alloca: what one instruction writes there nobody reads after it.
#define IR_SCRATCH "scratch"
// Of a load: of the engine's own memory, not of the program's.
#define IR_ENGINE "heddle.engine"
// Of an access in checked code: it orders within the block alone.
#define IR_BLOCK_SCOPE "heddle.block.scope"
// The same: it goes past the caches, which programs take for a volatile one.
#define IR_PAST_CACHES "heddle.past.caches"
// Of a barrier: all threads of a warp come to this one, as PTX asks with .aligned.
#define IR_ALIGNED "heddle.aligned"
// Uses a value for an instruction, which goes.
void ir_replace(LLVMValueRef x, LLVMValueRef with);
// Calls fn for each instruction of a module; it may erase that, and what it makes in its place stands before it. True, as passes end.
bool ir_rewrite(LLVMModuleRef m, void (*fn)(LLVMBuilderRef b, LLVMValueRef x));
// Whether x is an instruction from `from` on and before `to`, both of one block.
bool ir_is_between(LLVMValueRef x, LLVMValueRef from, LLVMValueRef to);
// Moves an instruction to where the builder stands, or to before another one.
void ir_move(LLVMBuilderRef b, LLVMValueRef x);
void ir_move_before(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef before);
// Reads a variable in place of x: before each use, or each in another block than its own (elsewhere). A phi's use stands at the end of
// the block that it comes from.
void ir_read_variable(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef variable, bool elsewhere);
bool ir_used_elsewhere(LLVMValueRef x);
// Operands of an instruction, of a call its arguments.
static inline unsigned ir_operands(LLVMValueRef x)
{
    return LLVMIsACallInst(x) ? LLVMGetNumArgOperands(x) : (unsigned)LLVMGetNumOperands(x);
}
// A copy where the builder stands, with these operands, or its own (NULL), and without a line.
LLVMValueRef ir_clone(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef *operands);
// The value that a phi gets from a block; NULL: none. A phi of two.
LLVMValueRef ir_incoming(LLVMValueRef phi, LLVMBasicBlockRef from);
LLVMValueRef ir_phi(LLVMBuilderRef b, LLVMValueRef x, LLVMBasicBlockRef from_x, LLVMValueRef y,
                    LLVMBasicBlockRef from_y);
// Jumps to a block and goes on there; jumps and goes on elsewhere; branches and goes on in one of the two.
void ir_enter(LLVMBuilderRef b, LLVMBasicBlockRef block);
void ir_jump(LLVMBuilderRef b, LLVMBasicBlockRef to, LLVMBasicBlockRef then);
void ir_branch(LLVMBuilderRef b, LLVMValueRef c, LLVMBasicBlockRef yes, LLVMBasicBlockRef no, LLVMBasicBlockRef then);
// A load and a store with an alignment.
LLVMValueRef ir_load(LLVMBuilderRef b, LLVMTypeRef t, LLVMValueRef p, unsigned align);
LLVMValueRef ir_store(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef p, unsigned align);

// Calls of a function; of a pointer to one, whose type its arguments tell; of an intrinsic, by its name without the types that it is
// overloaded on.
LLVMValueRef ir_call(LLVMBuilderRef b, LLVMValueRef f, LLVMValueRef *args, unsigned n);
LLVMValueRef ir_call_pointer(LLVMBuilderRef b, LLVMTypeRef result, LLVMValueRef f, LLVMValueRef *args, unsigned n);
LLVMValueRef ir_intrinsic(LLVMBuilderRef b, const char *name, LLVMTypeRef *overload, unsigned noverload,
                          LLVMValueRef *args, unsigned n);
// The module that the builder writes to.
LLVMModuleRef ir_module(LLVMBuilderRef b);
LLVMTypeRef ir_function_type(LLVMTypeRef result, LLVMValueRef *args, unsigned n);

// How many instructions.
unsigned ir_block_size(LLVMBasicBlockRef b);
unsigned ir_function_size(LLVMValueRef f);
unsigned ir_module_size(LLVMModuleRef m);
// A pointer and a number of bytes.
bool ir_is_byte_gep(LLVMValueRef x);
// The edges that lead from `from` to the block, or the first of them alone, now come from `to` as one; NULL: from nowhere.
void ir_move_phi_entries(LLVMBasicBlockRef block, LLVMBasicBlockRef from, LLVMBasicBlockRef to, bool all);
// A phi that has one value on all edges that can have been taken, the others being undefined: that value. Else x itself.
LLVMValueRef ir_only_value(LLVMValueRef x);
// The first instruction from this one on that is no phi.
LLVMValueRef ir_after_phis(LLVMValueRef x);
// Whether x is made of constants and of calls that `leaf` takes, by arithmetic and loads of parameters and constants alone,
// in at most `depth` steps.
bool ir_made_of(LLVMValueRef x, unsigned depth, bool (*leaf)(LLVMValueRef call));
// The same, and whether it may be computed where the kernel does not come to it: what it loads lies at constant distances from what calls
// tell, and not where a parameter leads.
bool ir_made_anywhere(LLVMValueRef x, unsigned depth, bool (*leaf)(LLVMValueRef call));
// Whether x is computed from a call of such an operation (IS_... of dialect.h), in at most `depth` steps and not through phis.
bool ir_depends_on(LLVMValueRef x, unsigned depth, unsigned kinds);
// Adds the attributes that one function has at this index to another.
void ir_copy_attributes(LLVMValueRef from, LLVMValueRef to, LLVMAttributeIndex at);
// Attributes by LLVM's names for them: of a function, and of its parameter i, with a value where the name takes one.
void ir_add_attribute(LLVMValueRef f, const char *name);
// The functions run where subnormals of f32 count as 0, which LLVM's passes have to know: to be called before any of them.
void ir_flush_denormals(LLVMModuleRef m);
void ir_add_parameter_attribute(LLVMValueRef f, unsigned i, const char *name, uint64_t value);
// The memory that a function reads and writes: two bits (mod, ref) a location; arguments at 0, what nothing else sees at 2.
enum { MEMORY_NONE = 0, MEMORY_INACCESSIBLE = 3 << 2, MEMORY_ARGUMENTS = 3, MEMORY_READ = 0x555, MEMORY_WRITE = 0xaaa };
void ir_set_memory(LLVMValueRef f, unsigned memory);
const char *ir_no_capture(void); // LLVM's name for the attribute of a pointer that is not kept; value 0
// What a call of inline assembly does to memory: it keeps no pointer and does nothing else beside its result.
void ir_call_accesses(LLVMValueRef call, unsigned memory);
bool ir_call_only_reads(LLVMValueRef call); // by what was said of this one
bool ir_touches_no_memory(LLVMValueRef f);  // f may be any value that is called

// Sets the types that nearly all code is of, in a structure that has these members.
#define IR_SET_TYPES(x, c)                                                                                             \
    ((x)->i1 = LLVMInt1TypeInContext(c), (x)->i8 = LLVMInt8TypeInContext(c), (x)->i16 = LLVMInt16TypeInContext(c),     \
     (x)->i32 = LLVMInt32TypeInContext(c), (x)->i64 = LLVMInt64TypeInContext(c), (x)->f32 = LLVMFloatTypeInContext(c), \
     (x)->ptr = LLVMPointerTypeInContext(c, 0), (x)->void_type = LLVMVoidTypeInContext(c))
// Width of an integer type, 64 for a pointer, 0 for anything else.
unsigned type_bits(LLVMTypeRef t);
static inline bool type_is_bool(LLVMTypeRef t)
{
    return LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) == 1;
}
// Of a vector, its elements' type; and a type as many times as another is one.
static inline LLVMTypeRef type_element(LLVMTypeRef t)
{
    return LLVMGetTypeKind(t) == LLVMVectorTypeKind ? LLVMGetElementType(t) : t;
}
static inline LLVMTypeRef type_like(LLVMTypeRef one, LLVMTypeRef t)
{
    return LLVMGetTypeKind(t) == LLVMVectorTypeKind ? LLVMVectorType(one, LLVMGetVectorSize(t)) : one;
}
bool type_is_float(LLVMTypeRef t); // or a vector of such
// Integers of the size and shape of a type of floating point; an integer constant of a type, in each lane of a vector.
LLVMTypeRef ir_bits_type(LLVMTypeRef t);
LLVMValueRef ir_constant(LLVMTypeRef t, uint64_t x);
// The same value, which the builder does not fold: of floating point constants LLVM's passes know the function's mode, it does not.
LLVMValueRef ir_unfolded(LLVMBuilderRef b, LLVMValueRef x);
bool value_is_undef(LLVMValueRef v);
// Whether this holds of any lane of a constant, or may; of words, as the f32 that their bits are.
bool value_any_lane(LLVMValueRef v, bool (*is)(double));
// A constant integer of at most 64 bits; the constant true or false.
bool value_constant(LLVMValueRef v, int64_t *out);
static inline bool value_is(LLVMValueRef v, bool want)
{
    int64_t c;
    return value_constant(v, &c) && (c != 0) == want;
}
// What a truth value is of others: NOT part[0], part[0] AND part[1] or OR; as instructions of these names or as selections.
enum logic { LOGIC_NONE, LOGIC_NOT, LOGIC_AND, LOGIC_OR };
enum logic ir_logic(LLVMValueRef x, LLVMValueRef part[2]);
const char *call_name(LLVMValueRef call); // of the function that is called, "" when indirect
// Of a load or store: neither volatile nor atomic.
bool access_is_simple(LLVMValueRef inst);
// Whether the instruction may write memory, or order accesses to it.
bool access_may_write(LLVMValueRef inst);

// Marks the loop that this branch closes: as one not to unroll; as LLVM calls it, with a number or with none (0).
void loop_keep(LLVMContextRef c, LLVMValueRef branch);
void loop_mark(LLVMContextRef c, LLVMValueRef branch, const char *what, unsigned number);

#define IR_PREFIX "ptx." // of the names that the program's functions have in the module
// As the program calls it.
const char *ir_function_name(LLVMValueRef f);

// ir/reduce.c: operations of atomics whose operands may be combined in any order. x op y, of scalars or vectors, and the operand that
// changes nothing; NULL for other operations.
LLVMValueRef reduce_combine(LLVMBuilderRef b, LLVMAtomicRMWBinOp op, LLVMValueRef x, LLVMValueRef y);
LLVMValueRef reduce_neutral(LLVMAtomicRMWBinOp op, LLVMTypeRef t);
#endif
