// Direction vectors by Bratley and Fox's recurrence from the table in sobol.def.
#include "curand/sobol.h"

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

void heddle_sobol_fill32(uint32_t (*to)[32], unsigned dimensions)
{
    for (unsigned d = 0; d < dimensions; d++) {
        uint64_t v[32];
        fill(v, 32, d);
        for (unsigned i = 0; i < 32; i++)
            to[d][i] = (uint32_t)v[i];
    }
}

void heddle_sobol_fill64(uint64_t (*to)[64], unsigned dimensions)
{
    for (unsigned d = 0; d < dimensions; d++)
        fill(to[d], 64, d);
}
