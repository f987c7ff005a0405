// SPDX-License-Identifier: Apache-2.0
// Direction vectors by Bratley and Fox's recurrence from the table in sobol.def, and their scrambled kind: Matousek's
// linear scrambling, by which the bits of a number become sums of its higher bits. A vector is multiplied by a random
// lower triangular matrix with ones on its diagonal, which keeps the sequence as even as it was, and all numbers begin
// at a random constant. NVIDIA's matrices are of the same kind, but their random bits are NVIDIA's own.
#include "curand/sobol.h"
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FIRST_MAX = 8 };

static const struct {
    unsigned char degree, inner;
    unsigned char first[FIRST_MAX];
} rows[] = {
#define SOBOL(degree, inner, ...) {degree, inner, {__VA_ARGS__}},
#include "curand/sobol.def"
#undef SOBOL
};
_Static_assert(sizeof rows / sizeof *rows + 1 == SOBOL_DIMENSIONS, "sobol.h says how many there are");

static void fill(uint64_t *v, unsigned bits, unsigned dimension)
{
    for (unsigned i = 0; i < bits; i++) {
        unsigned s = dimension ? rows[dimension - 1].degree : bits;
        if (i < s) {
            v[i] = (uint64_t)(dimension ? rows[dimension - 1].first[i] : 1) << (bits - 1 - i);
            continue;
        }
        v[i] = v[i - s] ^ v[i - s] >> s;
        for (unsigned k = 1; k < s; k++)
            if (rows[dimension - 1].inner >> (s - 1 - k) & 1)
                v[i] ^= v[i - k];
    }
}

// Steele, Lea and Flood's generator ("Fast splittable pseudorandom number generators", 2014).
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}
// The 64-bit vectors of a dimension; those of 32 bits are the higher halves of the first 32 of them.
static uint64_t fill_wide(uint64_t v[64], unsigned dimension, bool scrambled)
{
    uint64_t columns[64], random = (uint64_t)(dimension + 1) << 32;
    fill(v, 64, dimension);
    if (!scrambled)
        return 0;
    for (unsigned i = 0; i < 64; i++)
        columns[i] = (next_random(&random) | 1ull << 63) >> i;
    for (unsigned i = 0; i < 64; i++) {
        uint64_t sum = 0;
        for (unsigned k = 0; k < 64; k++)
            if (v[i] >> (63 - k) & 1)
                sum ^= columns[k];
        v[i] = sum;
    }
    return next_random(&random);
}

// A table that ends where memory does: cuRAND's tables have 20000 dimensions, and what a program would read behind ours
// is not a sequence.
static void *table_alloc(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = (size + page - 1) / page * page;
    char *p = mmap(NULL, whole + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    mprotect(p + whole, page, PROT_NONE);
    return p + whole - size;
}
enum { SET_COUNT = 4 };
static struct sobol_set sets[SET_COUNT]; // in the order of curandDirectionVectorSet

static bool make_set(struct sobol_set *set, bool wide, bool scrambled)
{
    set->vector_size = wide ? sizeof(curandDirectionVectors64_t) : sizeof(curandDirectionVectors32_t);
    set->constant_size = scrambled ? wide ? 8 : 4 : 0;
    char *vectors = table_alloc(set->vector_size * SOBOL_DIMENSIONS);
    char *constants = scrambled ? table_alloc(set->constant_size * SOBOL_DIMENSIONS) : NULL;
    if (!vectors || (scrambled && !constants))
        return false;
    for (unsigned d = 0; d < SOBOL_DIMENSIONS; d++) {
        uint64_t v[64], constant = fill_wide(v, d, scrambled);
        if (wide) {
            memcpy(vectors + d * sizeof(v), v, sizeof(v));
            if (scrambled)
                memcpy(constants + d * 8, &constant, 8);
            continue;
        }
        for (unsigned i = 0; i < 32; i++)
            ((uint32_t *)vectors)[d * 32 + i] = (uint32_t)(v[i] >> 32);
        if (scrambled)
            ((uint32_t *)constants)[d] = (uint32_t)(constant >> 32);
    }
    set->vectors = vectors;
    set->constants = constants;
    return true;
}
const struct sobol_set *heddle_sobol_set(curandDirectionVectorSet_t which)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    unsigned at = (unsigned)which - (unsigned)CURAND_DIRECTION_VECTORS_32_JOEKUO6;
    if (at >= SET_COUNT)
        return NULL;
    pthread_mutex_lock(&lock);
    bool there = sets[at].vectors || make_set(&sets[at], at >= 2, at % 2 == 1);
    pthread_mutex_unlock(&lock);
    return there ? &sets[at] : NULL;
}
