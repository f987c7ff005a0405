// SPDX-License-Identifier: Apache-2.0
// What a counted instruction is: its class, the operation that has a metric of its own, and how much a thread moves.
#include "jit/translate/reach/count.h"
#include "jit/translate/reach/support.h"
#include "ptx/form.h"

const char *count_class_name(enum count_class c)
{
    static const char *const names[] = {
#define COUNT_CLASS(NAME, name) name,
#include "jit/translate/reach/count.def"
    };
    return names[c];
}

const char *count_op_name(enum count_op o)
{
    static const char *const names[] = {
#define COUNT_OP(NAME, name) name,
#include "jit/translate/reach/count.def"
    };
    return names[o];
}

const char *count_pipe_name(enum count_pipe p)
{
    static const char *const names[] = {
#define COUNT_PIPE(NAME, name) name,
#include "jit/translate/reach/count.def"
    };
    return names[p];
}

static enum count_class arithmetic_class(enum ptx_type ty)
{
    return ptx_type_is_half(ty)                         ? COUNT_CLASS_FP16
           : ty == PTX_TYPE_F32 || ty == PTX_TYPE_F32X2 ? COUNT_CLASS_FP32
           : ty == PTX_TYPE_F64                         ? COUNT_CLASS_FP64
           : ptx_type_class(ty) == PTX_CLASS_FLOAT      ? COUNT_CLASS_FP32
                                                        : COUNT_CLASS_INTEGER;
}

static unsigned parts_of(enum ptx_type ty)
{
    return ptx_type_is_half_pair(ty) || ty == PTX_TYPE_F32X2 ? 2 : 1;
}

// add, sub; mul; fma, mad of floats: the three that have metrics, of each type.
static void float_op(struct count_insn *c, unsigned which)
{
    enum ptx_type ty = c->in->types[0];
    static const uint8_t first[] = {
        [COUNT_CLASS_FP32] = COUNT_OP_FADD, [COUNT_CLASS_FP64] = COUNT_OP_DADD, [COUNT_CLASS_FP16] = COUNT_OP_HADD};
    c->class = (uint8_t)arithmetic_class(ty);
    if (c->class == COUNT_CLASS_INTEGER)
        return;
    c->op = (uint8_t)(first[c->class] + which);
    c->per_thread = (uint8_t)parts_of(ty);
}

static void memory_op(struct count_insn *c, enum count_op op)
{
    const struct ptx_insn *in = c->in;
    const struct ptx_operand *value = &in->operands[in->op == PTX_OP_ST ? 1 : 0];
    bool told = count_accesses(in), own = in->space == PTX_SPACE_PARAM; // parameters are in registers, or constants
    c->class = own ? COUNT_CLASS_MISC : COUNT_CLASS_MEMORY;
    c->op = (uint8_t)(told ? op : COUNT_OP_NONE);
    if (!told)
        return;
    unsigned n = 1;
    if (in->op == PTX_OP_RED)
        value = &in->operands[1];
    else if (in->op == PTX_OP_ATOM)
        value = &in->operands[2];
    if (value->kind == PTX_OPERAND_VECTOR)
        n = value->nlist;
    c->merges = value->kind == PTX_OPERAND_INT && MOD_OF(in, OP) == PTX_MOD_ADD;
    enum ptx_type ty = in->op == PTX_OP_ATOM || in->op == PTX_OP_RED ? in->types[in->ntypes - 1] : in->types[0];
    if (in->op == PTX_OP_LDMATRIX || in->op == PTX_OP_STMATRIX) {
        value = &in->operands[in->op == PTX_OP_LDMATRIX ? 0 : 1];
        unsigned matrices = value->kind == PTX_OPERAND_VECTOR ? value->nlist : 1;
        c->lanes = matrices < 4 ? (1u << matrices * 8) - 1 : UINT32_MAX; // each gives the address of a row
        c->bytes = 16;
        return;
    }
    c->bytes = (uint8_t)(in->op == PTX_OP_CP ? (unsigned)in->operands[2].i : n * ptx_type_bytes(ty));
}

// ---- matrices
static enum count_op product_op(enum ptx_type ty)
{
    switch (ty) {
    case PTX_TYPE_F16:
        return COUNT_OP_TENSOR_FP16;
    case PTX_TYPE_BF16:
        return COUNT_OP_TENSOR_BF16;
    case PTX_TYPE_TF32:
        return COUNT_OP_TENSOR_TF32;
    case PTX_TYPE_F64:
        return COUNT_OP_TENSOR_FP64;
    case PTX_TYPE_E4M3:
    case PTX_TYPE_E5M2:
        return COUNT_OP_TENSOR_FP8;
    default: // those that run are of 8 bits (support.c)
        return COUNT_OP_TENSOR_INT8;
    }
}

// D = A B + C: each element of D is a sum of k products. Old forms of wmma name the types of C and D alone.
static void product(struct count_insn *c)
{
    const struct ptx_insn *in = c->in;
    c->class = COUNT_CLASS_MISC;
    c->op = (uint8_t)product_op(in->ntypes > 2 ? in->types[1] : PTX_TYPE_F16);
    c->products = 2 * (uint32_t)in->shape[0] * in->shape[1] * in->shape[2];
}

// wmma.load and wmma.store: rows, or columns, of a matrix that the warp moves together; a thread has as much of it as every other.
static void move_matrix(struct count_insn *c)
{
    const struct ptx_insn *in = c->in;
    bool load = MOD_OF(in, ACTION) == PTX_MOD_LOAD;
    unsigned which = load ? MOD_OF(in, MATRIX) : PTX_MOD_D, m = in->shape[0], n = in->shape[1], k = in->shape[2];
    unsigned rows = which == PTX_MOD_B ? k : m, columns = which == PTX_MOD_A ? k : n;
    unsigned element = ptx_type_bytes(in->types[0]);
    bool by_rows = MOD_OF(in, LAYOUT) == PTX_MOD_ROW;
    c->matrix = (struct count_matrix){.pieces = (uint8_t)(by_rows ? rows : columns),
                                      .element = (uint8_t)element,
                                      .bytes = (uint16_t)((by_rows ? columns : rows) * element)};
    c->bytes = (uint8_t)(rows * columns * element / 32);
    c->class = COUNT_CLASS_MEMORY;
    c->op = load ? COUNT_OP_LOAD : COUNT_OP_STORE;
}

// ---- asynchronous copies: by a thread, or in bulk
static void copy_op(struct count_insn *c)
{
    const struct ptx_insn *in = c->in;
    if (!count_copies_bulk(in)) {
        memory_op(c, COUNT_OP_COPY);
        return;
    }
    bool reduces = MOD_OF(in, ACTION) == PTX_MOD_REDUCE;
    c->class = COUNT_CLASS_MEMORY;
    c->op = in->space == PTX_SPACE_GLOBAL    ? (reduces ? COUNT_OP_BULK_RED : COUNT_OP_BULK_STORE)
            : in->space2 == PTX_SPACE_GLOBAL ? COUNT_OP_BULK_LOAD
                                             : COUNT_OP_BULK_SHARED;
}

// ---- pipelines, as NVIDIA's guides tell them apart, where what ptxas makes of the instruction is of one of them
static bool is_integer(enum ptx_type ty)
{
    enum ptx_type_class k = ptx_type_class(ty);
    return k == PTX_CLASS_UNSIGNED || k == PTX_CLASS_SIGNED;
}

static enum count_pipe pipe_of(const struct count_insn *c)
{
    const struct ptx_insn *in = c->in;
    if (c->pipe != COUNT_PIPE_NONE) // its class's
        return (enum count_pipe)c->pipe;
    if (c->products)
        return COUNT_PIPE_TENSOR;
    if (c->op == COUNT_OP_TEXTURE || c->op == COUNT_OP_SURFACE)
        return COUNT_PIPE_TEX;
    if (c->op == COUNT_OP_SHUFFLE || (c->class == COUNT_CLASS_MEMORY && count_accesses(in)))
        return COUNT_PIPE_LSU;
    switch (in->op) {
    case PTX_OP_CVT: // between integers and floats
        return is_integer(in->types[0]) != is_integer(in->types[1]) ? COUNT_PIPE_XU : COUNT_PIPE_NONE;
    case PTX_OP_DIV: // a function
        return COUNT_PIPE_NONE;
    default:
        return c->class == COUNT_CLASS_FP64 ? COUNT_PIPE_FP64 : COUNT_PIPE_NONE;
    }
}

// By the flags of its form, for what no case names.
static void by_flags(struct count_insn *c)
{
    uint32_t flags = ptx_forms[c->in->form].flags;
    if (flags & PTX_FORM_TEXTURE)
        c->op = COUNT_OP_TEXTURE;
    else if (flags & PTX_FORM_SURFACE)
        c->op = COUNT_OP_SURFACE;
    c->class = flags & (PTX_FORM_TEXTURE | PTX_FORM_SURFACE | PTX_FORM_READ | PTX_FORM_WRITE) ? COUNT_CLASS_MEMORY
               : flags & PTX_FORM_BLOCK                                                       ? COUNT_CLASS_CONTROL
               : flags & PTX_FORM_WARP                                                        ? COUNT_CLASS_WARP
                                                                                              : COUNT_CLASS_MISC;
}

static void between_threads(struct count_insn *c, enum count_op op)
{
    c->class = COUNT_CLASS_WARP;
    c->op = (uint8_t)op;
}

static void classify(struct count_insn *c)
{
    switch (c->in->op) {
    case PTX_OP_ADD:
    case PTX_OP_SUB:
        float_op(c, 0);
        break;
    case PTX_OP_MUL:
        float_op(c, 1);
        break;
    case PTX_OP_FMA:
    case PTX_OP_MAD:
        float_op(c, 2);
        break;
    case PTX_OP_ABS:
    case PTX_OP_NEG:
    case PTX_OP_MIN:
    case PTX_OP_MAX:
    case PTX_OP_DIV:
    case PTX_OP_REM:
    case PTX_OP_COPYSIGN:
    case PTX_OP_TESTP:
    case PTX_OP_ADDC:
    case PTX_OP_SUBC:
    case PTX_OP_MADC:
    case PTX_OP_MUL24:
    case PTX_OP_MAD24:
    case PTX_OP_SAD:
    case PTX_OP_DP2A:
    case PTX_OP_DP4A:
        c->class = (uint8_t)arithmetic_class(c->in->types[0]);
        break;
    case PTX_OP_RCP:
    case PTX_OP_SQRT:
    case PTX_OP_RSQRT:
    case PTX_OP_SIN:
    case PTX_OP_COS:
    case PTX_OP_LG2:
    case PTX_OP_EX2:
    case PTX_OP_TANH:
        c->class = (uint8_t)arithmetic_class(c->in->types[0]);
        c->pipe = COUNT_PIPE_XU;
        break;
    case PTX_OP_SETP: // by what is compared
    case PTX_OP_SET:
    case PTX_OP_SLCT:
        c->class = (uint8_t)arithmetic_class(c->in->types[c->in->ntypes - 1]);
        break;
    case PTX_OP_AND:
    case PTX_OP_OR:
    case PTX_OP_XOR:
    case PTX_OP_NOT:
    case PTX_OP_CNOT:
    case PTX_OP_LOP3:
    case PTX_OP_SHL:
    case PTX_OP_SHR:
    case PTX_OP_SHF:
    case PTX_OP_BFE:
    case PTX_OP_BFI:
    case PTX_OP_BFIND:
    case PTX_OP_BMSK:
    case PTX_OP_BREV:
    case PTX_OP_CLZ:
    case PTX_OP_POPC:
    case PTX_OP_FNS:
    case PTX_OP_SZEXT:
    case PTX_OP_PRMT:
        c->class = COUNT_CLASS_BIT;
        break;
    case PTX_OP_CVT:
        c->class = COUNT_CLASS_CONVERSION;
        break;
    case PTX_OP_BRA:
    case PTX_OP_BRX:
        c->op = COUNT_OP_BRANCH;
        c->class = COUNT_CLASS_CONTROL;
        break;
    case PTX_OP_CALL:
    case PTX_OP_RET:
    case PTX_OP_EXIT:
    case PTX_OP_TRAP:
    case PTX_OP_NANOSLEEP:
        c->class = COUNT_CLASS_CONTROL;
        break;
    case PTX_OP_BAR:
    case PTX_OP_BARRIER:
        c->op = COUNT_OP_BARRIER;
        c->class = COUNT_CLASS_CONTROL;
        break;
    case PTX_OP_LD:
    case PTX_OP_LDU:
    case PTX_OP_LDMATRIX:
        memory_op(c, COUNT_OP_LOAD);
        break;
    case PTX_OP_ST:
    case PTX_OP_STMATRIX:
        memory_op(c, COUNT_OP_STORE);
        break;
    case PTX_OP_ATOM:
        memory_op(c, COUNT_OP_ATOM);
        break;
    case PTX_OP_RED:
        memory_op(c, COUNT_OP_RED);
        break;
    case PTX_OP_CP:
        copy_op(c);
        break;
    case PTX_OP_SHFL:
        between_threads(c, COUNT_OP_SHUFFLE);
        break;
    case PTX_OP_VOTE:
        between_threads(c, COUNT_OP_VOTE);
        break;
    case PTX_OP_MATCH:
        between_threads(c, COUNT_OP_MATCH);
        break;
    case PTX_OP_REDUX:
        between_threads(c, COUNT_OP_REDUX);
        break;
    case PTX_OP_ACTIVEMASK:
    case PTX_OP_ELECT:
        between_threads(c, COUNT_OP_NONE);
        break;
    case PTX_OP_MBARRIER:
        by_flags(c);
        c->op = COUNT_OP_MBARRIER;
        break;
    case PTX_OP_MMA:
        product(c);
        break;
    case PTX_OP_WMMA:
        if (count_accesses(c->in))
            move_matrix(c);
        else
            product(c);
        break;
    case PTX_OP_FENCE:
    case PTX_OP_MEMBAR:
        c->class = COUNT_CLASS_MEMORY;
        break;
    default:
        by_flags(c);
    }
}

void count_classify(struct count_insn *c)
{
    c->per_thread = 1;
    c->lanes = UINT32_MAX;
    c->op = COUNT_OP_NONE;
    c->pipe = COUNT_PIPE_NONE;
    classify(c);
    c->pipe = (uint8_t)pipe_of(c);
}
