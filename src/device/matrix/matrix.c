// SPDX-License-Identifier: Apache-2.0
// The warp's matrix instructions (jit/abi/matrix.h): products by the best code for this processor, and fragments between memory and
// lanes.
#include "device/check/check.h"
#include "device/matrix/matrix.h"
#include "base/env.h"
#include "device/hook/hooks.h"
#include <fenv.h>
#include <stdatomic.h>
#include <string.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif
#ifdef __aarch64__
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

// The first product chooses; several threads may, and all choose the same.
static matrix_multiply_fn choose_and_multiply;
static matrix_multiply_fn *_Atomic multiply = choose_and_multiply;

#ifdef __x86_64__
// Older compilers do not know the name.
bool matrix_has_avxvnni(void)
{
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & 1 << 4);
}

// Kernels may be made for another processor than this one, and so are the products in them, as far as its name tells.
static bool may_have_avx512(void)
{
    static const char *const names[] = {"avx512",     "lake-server", "lake-client", "cascadelake",
                                        "cooperlake", "cannonlake",  "tigerlake",   "rocketlake",
                                        "rapids",     "znver4",      "znver5",      "x86-64-v4"};
    const char *cpu = env_get("HEDDLE_CPU");
    for (unsigned i = 0; *cpu && i < sizeof names / sizeof *names; i++)
        if (strstr(cpu, names[i]))
            return true;
    return !*cpu;
}
#endif

static matrix_multiply_fn *choose(void)
{
    matrix_multiply_fn *best = matrix_multiply_plain;
#ifdef __x86_64__
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c"))
        best = matrix_has_avxvnni() ? matrix_multiply_avxvnni : matrix_multiply_avx2;
    if (may_have_avx512() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
        best = __builtin_cpu_supports("avx512vnni") ? matrix_multiply_vnni : matrix_multiply_avx512;
#endif
#if defined(__aarch64__) && defined(HWCAP_ASIMDDP)
    if (getauxval(AT_HWCAP) & HWCAP_ASIMDDP)
        best = matrix_multiply_dotprod;
#endif
#if defined(__aarch64__) && defined(HWCAP2_I8MM)
    if (getauxval(AT_HWCAP2) & HWCAP2_I8MM && getauxval(AT_HWCAP) & HWCAP_ASIMDFHM)
        best = matrix_multiply_i8mm;
#endif
    return best;
}

static void choose_and_multiply(const struct matrix_op *o, const uint32_t *in, uint32_t *out)
{
    matrix_multiply_fn *best = choose();
    atomic_store_explicit(&multiply, best, memory_order_relaxed);
    best(o, in, out);
}

// --- wmma.load, wmma.store ---

// Where element (line, i) of a matrix is in its fragment: in whole elements.
struct layout {
    unsigned lines, length; // rows and columns of the matrix
    bool grouped;           // bytes of B: four rows together
};

static struct layout layout_of(const struct matrix_op *o)
{
    bool byte = o->a == MATRIX_S8 || o->a == MATRIX_U8;
    switch (o->role) {
    case MATRIX_A:
        return (struct layout){o->m, o->k, false};
    case MATRIX_B:
        return (struct layout){o->k, o->n, byte};
    default:
        return (struct layout){o->m, o->n, false};
    }
}

static inline unsigned place(const struct layout *l, unsigned i, unsigned j)
{
    return l->grouped ? (i / 4 * l->length + j) * 4 + i % 4 : i * l->length + j;
}
#define LOAD(T)                                                                                                        \
    static void load_##T(const struct layout *l, bool columns, const T *p, uint64_t stride, T *to)                     \
    {                                                                                                                  \
        for (unsigned i = 0; i < l->lines; i++)                                                                        \
            for (unsigned j = 0; j < l->length; j++)                                                                   \
                to[place(l, i, j)] = p[columns ? j * stride + i : i * stride + j];                                     \
    }
#define STORE(T) /* by columns */                                                                                      \
    static void store_##T(const struct layout *l, T *p, uint64_t stride, const T *from)                                \
    {                                                                                                                  \
        for (unsigned i = 0; i < l->lines; i++)                                                                        \
            for (unsigned j = 0; j < l->length; j++)                                                                   \
                p[j * stride + i] = from[place(l, i, j)];                                                              \
    }
LOAD(uint8_t)
LOAD(uint16_t)
LOAD(uint32_t)
LOAD(uint64_t)
STORE(uint16_t)
STORE(uint32_t)
STORE(uint64_t)
#undef LOAD
#undef STORE

// Rows of fragments have few sizes, which are instructions and no call.
static inline void copy_row(char *to, const char *from, size_t n)
{
    switch (n) {
    case 16:
        memcpy(to, from, 16);
        break;
    case 32:
        memcpy(to, from, 32);
        break;
    case 64:
        memcpy(to, from, 64);
        break;
    default:
        memcpy(to, from, n);
    }
}

static void load(const struct matrix_op *o, uint64_t address, uint64_t stride, void *out)
{
    struct layout l = layout_of(o);
    unsigned size = matrix_element_bytes(o->a);
    const void *p = (const void *)(uintptr_t)address;
    if (!o->columns && !l.grouped) {
        for (unsigned i = 0; i < l.lines; i++)
            copy_row((char *)out + i * l.length * size, (const char *)p + i * stride * size, l.length * size);
    } else if (o->columns && l.grouped) { // four bytes of a column are a word
        for (unsigned j = 0; j < l.length; j++) {
            const char *column = (const char *)p + j * stride;
            uint32_t *to = (uint32_t *)out + j;
            for (unsigned i = 0; i < l.lines; i += 4, to += l.length)
                memcpy(to, column + i, 4);
        }
    } else if (size == 1) {
        load_uint8_t(&l, o->columns, p, stride, out);
    } else if (size == 2) {
        load_uint16_t(&l, o->columns, p, stride, out);
    } else if (size == 4) {
        load_uint32_t(&l, o->columns, p, stride, out);
    } else {
        load_uint64_t(&l, o->columns, p, stride, out);
    }
}

static void store(const struct matrix_op *o, uint64_t address, uint64_t stride, const void *in)
{
    struct layout l = layout_of(o);
    unsigned size = matrix_element_bytes(o->a);
    void *p = (void *)(uintptr_t)address;
    if (!o->columns) {
        for (unsigned i = 0; i < l.lines; i++)
            copy_row((char *)p + i * stride * size, (const char *)in + i * l.length * size, l.length * size);
    } else if (size == 2) {
        store_uint16_t(&l, p, stride, in);
    } else if (size == 4) {
        store_uint32_t(&l, p, stride, in);
    } else {
        store_uint64_t(&l, p, stride, in);
    }
}

// --- ldmatrix, stmatrix ---

// Lane 8 i + r has the address of row r of matrix i. A lane holds two neighbours of row lane / 4, or of that column.
static void load_rows(const struct matrix_op *o, const uint64_t *address, uint32_t *out)
{
    for (unsigned i = 0; i < o->count; i++) {
        uint16_t m[8][8], *to = (uint16_t *)(out + 32 * i);
        for (unsigned r = 0; r < 8; r++)
            memcpy(o->columns ? m[r] : to + 8 * r, (const void *)(uintptr_t)address[8 * i + r], sizeof m[r]);
        for (unsigned k = 0; k < 64 && o->columns; k++)
            to[k] = m[k % 8][k / 8];
    }
}

static void store_rows(const struct matrix_op *o, const uint64_t *address, const uint32_t *in)
{
    for (unsigned i = 0; i < o->count; i++) {
        const uint16_t *from = (const uint16_t *)(in + 32 * i);
        for (unsigned r = 0; r < 8; r++) {
            uint16_t row[8];
            for (unsigned k = 0; k < 8; k++)
                row[k] = from[o->columns ? 8 * k + r : 8 * r + k];
            memcpy((void *)(uintptr_t)address[8 * i + r], row, sizeof row);
        }
    }
}

// What an instruction reads or writes: the rows that lanes name, or those of one matrix.
static void check_memory(struct jit_block *b, uint32_t first, const struct matrix_op *o, const uint64_t *address,
                         uint64_t stride, const void *pc)
{
    enum { ROWS = 8, ROW_BYTES = 16 };
    bool write = o->action == MATRIX_STORE || o->action == MATRIX_STMATRIX;
    if (o->action == MATRIX_LOAD || o->action == MATRIX_STORE) {
        struct layout l = layout_of(o);
        unsigned size = matrix_element_bytes(o->a), rows = o->columns ? l.length : l.lines;
        for (unsigned i = 0; i < rows; i++)
            check_engine_access(b, first, address[0] + i * stride * size, (o->columns ? l.lines : l.length) * size,
                                write ? CHECK_WRITE : CHECK_READ, pc);
        return;
    }
    for (uint32_t lane = 0; lane < ROWS * o->count; lane++)
        check_engine_access(b, first + lane, address[lane], ROW_BYTES, write ? CHECK_WRITE : CHECK_READ, pc);
}

// Doubles alone, whose multiply-adds follow the processor's mode.
static void multiply_directed(const struct matrix_op *o, const uint32_t *in, uint32_t *out)
{
    static const int modes[] = {
        [MATRIX_RN] = FE_TONEAREST, [MATRIX_RZ] = FE_TOWARDZERO, [MATRIX_RM] = FE_DOWNWARD, [MATRIX_RP] = FE_UPWARD};
    int before = fegetround();
    fesetround(modes[o->round]);
    atomic_load_explicit(&multiply, memory_order_relaxed)(o, in, out);
    fesetround(before);
}

void hook_matrix(struct jit_block *b, uint32_t first, uint32_t op, const void *in, void *out, const uint64_t *address)
{
    struct matrix_op o;
    matrix_decode(op, &o);
    uint64_t stride = 0;
    const char *fragment = in;
    if (o.action == MATRIX_LOAD || o.action == MATRIX_STORE) {
        stride = o.a == MATRIX_F64 ? *(const uint64_t *)in : *(const uint32_t *)in;
        fragment += o.a == MATRIX_F64 ? 256 : 128;
    }
    if (__builtin_expect(check_wanted, 0) && o.action > MATRIX_WMMA)
        check_memory(b, first, &o, address, stride, __builtin_return_address(0));
    switch (o.action) {
    case MATRIX_MMA:
    case MATRIX_WMMA:
        (o.round ? multiply_directed : atomic_load_explicit(&multiply, memory_order_relaxed))(&o, in, out);
        break;
    case MATRIX_LOAD:
        load(&o, address[0], stride, out);
        break;
    case MATRIX_STORE:
        store(&o, address[0], stride, fragment);
        break;
    case MATRIX_LDMATRIX:
        load_rows(&o, address, out);
        break;
    case MATRIX_STMATRIX:
        store_rows(&o, address, in);
        break;
    }
}
