// SPDX-License-Identifier: Apache-2.0
// Random PTX kernels as lists of instructions that can be printed and executed.
//
// A thread has words (%r), doublewords (%D), halves (%h) and predicates (%p), masks of threads (%m), counters (%f) and 64
// bytes of its own in local, shared and global memory. What the threads of a block share is written before a barrier and
// read after it, or changed by atomics of one commutative operation a cell.
#ifndef HEDDLE_FUZZ_PTX_PROGRAM_H
#define HEDDLE_FUZZ_PTX_PROGRAM_H
#include "gen.h"

enum {
    WORDS = 8,
    DOUBLES = 5,
    HALVES = 4,
    PREDICATES = 4,
    MASKS = 12,
    COUNTERS = 64,
    TARGETS = 4,
    OWN = 64,
    CELLS = 16,
    THREADS_MAX = 160
};
enum { INPUT = 1024, RESULT = 104 }; // words of input; bytes of result for each thread
// Where results lie, in bytes for each thread of the grid: words, doublewords, all halves, all predicates, a sum of its
// local and one of its shared memory; word k of all threads stands before word k + 1.
enum { AT_WORDS = 0, AT_DOUBLES = 32, AT_HALVES = 72, AT_PREDICATES = 80, AT_OWN = 88 };
#define OWN_FACTOR 0x9e3779b97f4a7c15ull // what the sum so far is multiplied by before the next doubleword is added

enum ins_kind {
    INS_OP,       // op d, a, b, c
    INS_SREG,     // r[d] = special register imm
    INS_MOVE,     // between classes, imm: which
    INS_CONSTANT, // D[d] = wide
    INS_INPUT,    // load from the input, imm: form; index r[a]
    INS_MEMORY,   // of the thread's own; imm: form, b: space, c: generic address; index r[a]
    INS_ATOMIC,   // imm: operation, b: 0 shared, 1 global; value r[a]
    INS_LABEL,    // label
    INS_BRANCH,   // to label
    INS_JUMP,     // to label while counter a is below imm, which it then counts
    INS_TABLE,    // brx.idx by r[a] to label[0 ... imm - 1]
    INS_FIRST,    // to label where the thread is not one of the first imm
    INS_RESET,    // counter a = 0
    INS_COUNT,    // counter a plus 1; to label while it is below imm, b >= 0: and below r[b] & 3
    INS_BALLOT,   // m[d] = those of m[a] where p[b] is set
    INS_REST,     // m[d] = m[a] without m[b]
    INS_SURVIVE,  // m[0] = those of m[0] where p[b] is not set
    INS_VOTE,     // imm: 0 ballot, 1 any, 2 all, 3 uni, 4 match.any, 5 match.all, 6 ... redux; mask a
    INS_SHUFFLE,  // imm: mode + 4 * log2(width); mask a, by r[c] or b
    INS_BARRIER,  // id imm, count b
    INS_REDUCE,   // bar.red, imm: 0 popc, 1 and, 2 or; p[b]
    INS_SEND,     // shared[thread] = r[a]
    INS_RECEIVE,  // r[d] = shared[...], imm: form
    INS_CELL,     // r[d] = shared cell imm
    INS_EXIT,
    INS_CALL // r[d] = function imm (r[a], r[b])
};

struct op_test;
struct ins {
    enum ins_kind kind;
    const struct op_test *op;
    int d, a, b, c, guard; // guard: -1, or 2 * predicate + negated
    uint32_t imm;
    uint64_t wide;
    int label[TARGETS];
};

struct code {
    struct ins *data;
    size_t len, cap;
};

// What the body of a kernel names: sets of registers, the number of counters, and memory.
struct ptx_uses {
    uint32_t words, doubles, halves, predicates, masks;
    unsigned counters;
    bool local, shared, slots, cells;
};

enum { FUNCTIONS = 2 };
struct ptx_program {
    struct code body, function[FUNCTIONS];
    unsigned block[3], grid, threads, labels;
    struct ptx_uses uses;
};

struct ptx_memory {
    uint32_t input[INPUT];
    uint8_t result[THREADS_MAX * 2 * RESULT], own[THREADS_MAX * 2][OWN];
    uint32_t cell[CELLS];
};

void ptx_program_make(struct gen *g, uint64_t seed, struct ptx_program *p);
void ptx_program_print(const struct ptx_program *p, struct str *s);
void ptx_program_find_uses(struct ptx_program *p);
// The instructions alone; `number`: of the first one.
void ptx_code_print(const struct ptx_program *p, const struct code *c, unsigned number, struct str *s);
// Executes it on the host. False: threads wait for what never comes, or it runs too long.
bool ptx_program_run(const struct ptx_program *p, struct ptx_memory *m);
void ptx_program_free(struct ptx_program *p);
unsigned ptx_ops(void); // number of arithmetic instructions that are used
const struct op_test *ptx_op(unsigned i);

// What the printer and the interpreter need to know of an arithmetic instruction.
bool ptx_op_multiple(const struct op_test *o); // several instructions: no guard
bool ptx_op_quiets(const struct op_test *o);   // NaNs among its operands become quiet ones first
extern const unsigned char ptx_class_size[4];  // words, doublewords, halves, predicates
enum { CLASS_WORD, CLASS_DOUBLE, CLASS_HALF, CLASS_PREDICATE };
const char *ptx_op_text(const struct op_test *o);
char ptx_op_kind(const struct op_test *o); // of the result: 'x' bits; a float 'f', 'F', 'h', 'b'
uint64_t ptx_op_compute(const struct op_test *o, uint64_t a, uint64_t b, uint64_t c);
int ptx_op_class(const struct op_test *o, char operand); // of operand a, b, c or d; -1: there is none
#endif
