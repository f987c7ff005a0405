// SPDX-License-Identifier: Apache-2.0
// The SIMD intrinsics on two halves and on four bytes of a word, against plain code on random words and on all pairs of
// corner cases.
#include "check.h"

enum { COUNT = 2048 };

// name, signed, result of one lane from a and b; m is the lane's largest signed number, all its bits
#define LANE_FUNCTIONS(F)                                                                                              \
    F(__vadd, 0, a + b)                                                                                                \
    F(__vaddss, 1, limit(a + b, -m - 1, m))                                                                            \
    F(__vaddus, 0, limit(a + b, 0, all))                                                                               \
    F(__vsub, 0, a - b)                                                                                                \
    F(__vsubss, 1, limit(a - b, -m - 1, m))                                                                            \
    F(__vsubus, 0, limit(a - b, 0, all))                                                                               \
    F(__vavgu, 0, (a + b + 1) / 2)                                                                                     \
    F(__vhaddu, 0, (a + b) / 2)                                                                                        \
    F(__vabsdiffs, 1, a > b ? a - b : b - a)                                                                           \
    F(__vabsdiffu, 0, a > b ? a - b : b - a)                                                                           \
    F(__vmaxs, 1, a > b ? a : b)                                                                                       \
    F(__vmaxu, 0, a > b ? a : b)                                                                                       \
    F(__vmins, 1, a < b ? a : b)                                                                                       \
    F(__vminu, 0, a < b ? a : b)                                                                                       \
    F(__vcmpeq, 0, a == b ? all : 0)                                                                                   \
    F(__vcmpne, 0, a != b ? all : 0)                                                                                   \
    F(__vcmpges, 1, a >= b ? all : 0)                                                                                  \
    F(__vcmpgeu, 0, a >= b ? all : 0)                                                                                  \
    F(__vcmpgts, 1, a > b ? all : 0)                                                                                   \
    F(__vcmpgtu, 0, a > b ? all : 0)                                                                                   \
    F(__vcmples, 1, a <= b ? all : 0)                                                                                  \
    F(__vcmpleu, 0, a <= b ? all : 0)                                                                                  \
    F(__vcmplts, 1, a < b ? all : 0)                                                                                   \
    F(__vcmpltu, 0, a < b ? all : 0)                                                                                   \
    F(__vseteq, 0, a == b)                                                                                             \
    F(__vsetne, 0, a != b)                                                                                             \
    F(__vsetges, 1, a >= b)                                                                                            \
    F(__vsetgeu, 0, a >= b)                                                                                            \
    F(__vsetgts, 1, a > b)                                                                                             \
    F(__vsetgtu, 0, a > b)                                                                                             \
    F(__vsetles, 1, a <= b)                                                                                            \
    F(__vsetleu, 0, a <= b)                                                                                            \
    F(__vsetlts, 1, a < b)                                                                                             \
    F(__vsetltu, 0, a < b)
#define LANE_FUNCTIONS_OF_ONE(F)                                                                                       \
    F(__vabs, 1, a < 0 ? -a : a)                                                                                       \
    F(__vabsss, 1, limit(a < 0 ? -a : a, 0, m))                                                                        \
    F(__vneg, 1, -a)                                                                                                   \
    F(__vnegss, 1, limit(-a, -m - 1, m))

enum {
#define F(name, is_signed, value) name##_at,
    LANE_FUNCTIONS(F) LANE_FUNCTIONS_OF_ONE(F)
#undef F
        SADS,
    SADU,
    FUNCTIONS
};

__global__ void run(const uint2 *in, unsigned int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int x = in[i].x, y = in[i].y, *to = out + i * 2 * FUNCTIONS;
#define F(name, is_signed, value)                                                                                      \
    to[name##_at] = name##2(x, y);                                                                                     \
    to[FUNCTIONS + name##_at] = name##4(x, y);
    LANE_FUNCTIONS(F)
#undef F
#define F(name, is_signed, value)                                                                                      \
    to[name##_at] = name##2(x);                                                                                        \
    to[FUNCTIONS + name##_at] = name##4(x);
    LANE_FUNCTIONS_OF_ONE(F)
#undef F
    to[SADS] = __vsads2(x, y);
    to[SADU] = __vsadu2(x, y);
    to[FUNCTIONS + SADS] = __vsads4(x, y);
    to[FUNCTIONS + SADU] = __vsadu4(x, y);
}

static int limit(int x, int low, int high)
{
    return x < low ? low : x > high ? high : x;
}
static int one(int which, int a, int b, int m, int all)
{
    switch (which) {
#define F(name, is_signed, value)                                                                                      \
    case name##_at:                                                                                                    \
        return value;
        LANE_FUNCTIONS(F)
        LANE_FUNCTIONS_OF_ONE(F)
#undef F
    default:
        return a > b ? a - b : b - a;
    }
}
static const bool signs[] = {
#define F(name, is_signed, value) is_signed,
    LANE_FUNCTIONS(F) LANE_FUNCTIONS_OF_ONE(F)
#undef F
        true,
    false};
static const char *const names[] = {
#define F(name, is_signed, value) #name,
    LANE_FUNCTIONS(F) LANE_FUNCTIONS_OF_ONE(F)
#undef F
        "__vsads",
    "__vsadu"};

static unsigned int expected(int which, unsigned int x, unsigned int y, int bits)
{
    int all = (1 << bits) - 1, m = all / 2;
    unsigned int result = 0;
    for (int at = 0; at < 32; at += bits) {
        int a = (int)(x >> at) & all, b = (int)(y >> at) & all;
        if (signs[which]) {
            a = a > m ? a - all - 1 : a;
            b = b > m ? b - all - 1 : b;
        }
        int r = one(which, a, b, m, all);
        if (which >= SADS)
            result += (unsigned int)r;
        else
            result |= (unsigned int)(r & all) << at;
    }
    return result;
}

int main()
{
    const unsigned int corners[] = {0,          1,          0x7f,       0x80,       0x81,       0xff,       0x7fff,
                                    0x8000,     0x8001,     0xffff,     0x7fff8000, 0x80007fff, 0x01000100, 0x7f7f7f7f,
                                    0x80808080, 0xffffffff, 0x80000000, 0x7fffffff, 0x00ff00ff, 0xff00ff00};
    std::vector<uint2> in;
    for (unsigned int x : corners)
        for (unsigned int y : corners)
            in.push_back(make_uint2(x, y));
    unsigned int random = 1;
    while (in.size() < COUNT) {
        unsigned int v[2];
        for (unsigned int &w : v) {
            random = random * 1664525u + 1013904223u;
            w = random ^ random >> 15;
        }
        in.push_back(make_uint2(v[0], v[1]));
    }
    Buffer<uint2> words(in);
    Buffer<unsigned int> out(COUNT * 2 * FUNCTIONS);
    run<<<COUNT / 128, 128>>>(words, out);
    LAUNCHED();
    std::vector<unsigned int> got = out.get();
    for (int f = 0; f < FUNCTIONS; f++) {
        for (int wide = 0; wide < 2; wide++) {
            int bad = 0;
            for (int i = 0; i < COUNT; i++) {
                unsigned int is = got[(i * 2 + wide) * FUNCTIONS + f],
                             want = expected(f, in[i].x, in[i].y, wide ? 8 : 16);
                if (is != want && !bad++)
                    std::printf("%s%d(%08x, %08x) = %08x, not %08x\n", names[f], wide ? 4 : 2, in[i].x, in[i].y, is,
                                want);
            }
            EXPECT(bad == 0);
        }
    }
    return DONE();
}
