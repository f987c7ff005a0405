// SPDX-License-Identifier: Apache-2.0
// Warp collectives where not all lanes take part: behind a branch, in both arms of one, in a loop that lanes leave one by one, after
// some have returned, in a block of less than a warp, and in groups with masks of their own. What PTX leaves open is as an
// H200 gave it, which ran every one of these: a shuffle that reads a lane which is not there gives 0, and its predicate tells only
// whether the lane was in range; lanes of other groups that make the same shuffle at once can be read. activemask, at last:
// lanes meet again behind what divided them.
// nvcc: -arch=sm_90
#include "check.h"

typedef unsigned u32;
typedef unsigned long long u64;

enum { LANES = 32, NONE = 0x5eadbeef };

struct Result {
    u32 d, p;
};

struct Input { // by lane: any numbers, one for the lane itself
    u32 b[LANES], c[LANES], lane[LANES], five, twenty;
};

enum op {
    IDX,
    UP,
    DOWN,
    BFLY,
    UP_SEGMENT,
    DOWN_SEGMENT,
    BFLY_SEGMENT,
    IDX_SEGMENT,
    DOWN_HALF,
    BFLY_HALF, // by constants
    IDX_ANY,
    UP_ANY,
    DOWN_ANY,
    BFLY_ANY,
    IDX_SAME,
    IDX_CONSTANT,
    IDX_ONE,
    UP_ONE,
    DOWN_ONE,
    BFLY_ONE, // by what is in memory
    BALLOT,
    BALLOT_NOT,
    ANY,
    ALL,
    UNI,
    ANY_HIGH,
    ALL_LOW,
    MATCH_32,
    MATCH_64,
    MATCH_ALL,
    MATCH_ALL_NOT,
    MATCH_ALL_64,
    SUM,
    LEAST,
    MOST,
    LEAST_U,
    MOST_U,
    AND,
    OR,
    XOR,
    SUM_SAME,
    ACTIVE,
    ELECT,
    OPS
};

enum guard {
    FULL,
    LOW8,
    ODD,
    RETURNED,
    RETURNED_MASK,
    SHORT,
    QUARTERS,
    PARITY,
    ARMS,
    LOOP,
    HOLES,
    THIRDS,
    SECOND_WARP,
    HIGH,
    GUARDS
};

// What the operation reads: source and b, c of a shuffle; the condition of a vote; the value of others.
enum shuffle_mode { M_IDX, M_UP, M_DOWN, M_BFLY };
struct Operand {
    u32 mode, value, b, c;
    u64 wide;
};

__device__ __host__ inline Operand operand(int op, const Input &in, u32 l, u32 v)
{
    u32 b = in.b[l], c = in.c[l];
    switch (op) {
    case IDX:
        return {M_IDX, v, (l * 7 + 3) & 31, 0x1f, 0};
    case UP:
        return {M_UP, v, 3, 0, 0};
    case DOWN:
        return {M_DOWN, v, 3, 0x1f, 0};
    case BFLY:
        return {M_BFLY, v, 5, 0x1f, 0};
    case UP_SEGMENT:
        return {M_UP, v, 3, 0x1800, 0};
    case DOWN_SEGMENT:
        return {M_DOWN, v, 3, 0x181f, 0};
    case BFLY_SEGMENT:
        return {M_BFLY, v, 13, 0x181f, 0};
    case IDX_SEGMENT:
        return {M_IDX, v, b, 0x181f, 0};
    case DOWN_HALF:
        return {M_DOWN, v, 16, 0x1f, 0};
    case BFLY_HALF:
        return {M_BFLY, v, 16, 0x1f, 0};
    case IDX_ANY:
        return {M_IDX, v, b, c, 0};
    case UP_ANY:
        return {M_UP, v, b, c, 0};
    case DOWN_ANY:
        return {M_DOWN, v, b, c, 0};
    case BFLY_ANY:
        return {M_BFLY, v, b, c, 0};
    case IDX_SAME:
        return {M_IDX, in.five, (l * 7 + 3) & 31, 0x1f, 0};
    case IDX_CONSTANT:
        return {M_IDX, 7, 21, 0x1f, 0};
    case IDX_ONE:
        return {M_IDX, v, in.twenty, 0x1f, 0};
    case UP_ONE:
        return {M_UP, v, in.five, 0, 0};
    case DOWN_ONE:
        return {M_DOWN, v, in.five, 0x1f, 0};
    case BFLY_ONE:
        return {M_BFLY, v, in.twenty, 0x1f, 0};
    case ANY:
        return {0, l == 14, 0, 0, 0};
    case ALL:
        return {0, l != 40, 0, 0, 0};
    case UNI:
        return {0, l < 12, 0, 0, 0};
    case ANY_HIGH:
        return {0, (b & 1) && l > 7, 0, 0, 0};
    case ALL_LOW:
        return {0, l < 16, 0, 0, 0};
    case MATCH_32:
    case MATCH_ALL_NOT:
        return {0, b & 3, 0, 0, 0};
    case MATCH_64:
        return {0, 0, 0, 0, (u64)(b & 3) << 31};
    case MATCH_ALL:
        return {0, in.five + (l > 50), 0, 0, 0};
    case MATCH_ALL_64:
        return {0, 0, 0, 0, (u64)(in.five + (l == 6)) << 32};
    case AND:
        return {0, b | 0xff0000ff, 0, 0, 0};
    case OR:
        return {0, b & 0x1111, 0, 0, 0};
    case SUM_SAME:
        return {0, in.five, 0, 0, 0};
    case BALLOT:
    case BALLOT_NOT:
        return {0, b & 1, 0, 0, 0};
    default:
        return {0, b, 0, 0, 0};
    }
}

// The device's side

#define SHFL(mode)                                                                                                     \
    asm volatile("{.reg .pred q; shfl.sync." mode ".b32 %0|q, %2, %3, %4, %5; selp.u32 %1, 1, 0, q;}"                  \
                 : "=r"(r.d), "=r"(r.p)                                                                                \
                 : "r"(o.value), "r"(o.b), "r"(o.c), "r"(m))
#define VOTE(mode)                                                                                                     \
    asm volatile("{.reg .pred q, s; setp.ne.u32 q, %1, 0; vote.sync." mode ".pred s, q, %2; selp.u32 %0, 1, 0, s;}"    \
                 : "=r"(r.d)                                                                                           \
                 : "r"(o.value), "r"(m))
#define BALLOT_OF(sign)                                                                                                \
    asm volatile("{.reg .pred q; setp.ne.u32 q, %1, 0; vote.sync.ballot.b32 %0, " sign "q, %2;}"                       \
                 : "=r"(r.d)                                                                                           \
                 : "r"(o.value), "r"(m))
#define MATCH(mode, type, k, v)                                                                                        \
    asm volatile("{.reg .pred q; match." mode ".sync." type ", %2, %3; selp.u32 %1, 1, 0, q;}"                         \
                 : "=r"(r.d), "=r"(r.p)                                                                                \
                 : k(v), "r"(m))
#define MATCH_SOME(type, k, v) asm volatile("match.any.sync." type " %0, %1, %2;" : "=r"(r.d) : k(v), "r"(m))
#define REDUX(op)              asm volatile("redux.sync." op " %0, %1, %2;" : "=r"(r.d) : "r"(o.value), "r"(m))

template <int OP> __device__ __forceinline__ Result run(u32 m, const Input &in, u32 l, u32 v)
{
    Result r = {NONE, 0};
    Operand o = operand(OP, in, l, v);
    switch (OP) {
    case IDX:
    case IDX_SEGMENT:
    case IDX_ANY:
    case IDX_SAME:
    case IDX_CONSTANT:
    case IDX_ONE:
        SHFL("idx");
        break;
    case UP:
    case UP_SEGMENT:
    case UP_ANY:
    case UP_ONE:
        SHFL("up");
        break;
    case DOWN:
    case DOWN_SEGMENT:
    case DOWN_HALF:
    case DOWN_ANY:
    case DOWN_ONE:
        SHFL("down");
        break;
    case BFLY:
    case BFLY_SEGMENT:
    case BFLY_HALF:
    case BFLY_ANY:
    case BFLY_ONE:
        SHFL("bfly");
        break;
    case BALLOT:
        BALLOT_OF("");
        break;
    case BALLOT_NOT:
        BALLOT_OF("!");
        break;
    case ANY:
    case ANY_HIGH:
        VOTE("any");
        break;
    case ALL:
    case ALL_LOW:
        VOTE("all");
        break;
    case UNI:
        VOTE("uni");
        break;
    case MATCH_32:
        MATCH_SOME("b32", "r", o.value);
        break;
    case MATCH_64:
        MATCH_SOME("b64", "l", o.wide);
        break;
    case MATCH_ALL:
    case MATCH_ALL_NOT:
        MATCH("all", "b32 %0|q", "r", o.value);
        break;
    case MATCH_ALL_64:
        MATCH("all", "b64 %0|q", "l", o.wide);
        break;
    case SUM:
    case SUM_SAME:
        REDUX("add.u32");
        break;
    case LEAST:
        REDUX("min.s32");
        break;
    case MOST:
        REDUX("max.s32");
        break;
    case LEAST_U:
        REDUX("min.u32");
        break;
    case MOST_U:
        REDUX("max.u32");
        break;
    case AND:
        REDUX("and.b32");
        break;
    case OR:
        REDUX("or.b32");
        break;
    case XOR:
        REDUX("xor.b32");
        break;
    case ACTIVE:
        asm volatile("activemask.b32 %0;" : "=r"(r.d));
        break;
    case ELECT:
        asm volatile("{.reg .pred q; elect.sync %0|q, %2; selp.u32 %1, 1, 0, q;}" : "=r"(r.d), "=r"(r.p) : "r"(m));
        break;
    }
    return r;
}

// One operation under the guard; x: the lane's number, which comes from memory.
template <int G, int OP> __device__ __forceinline__ void one(const Input &in, u32 l, u32 x, Result *out)
{
    u32 v = 0x100 + x;
    Result r = {NONE, 0};
    switch (G) {
    case FULL:
    case RETURNED:
    case SHORT:
    case SECOND_WARP:
        r = run<OP>(0xffffffff, in, l, v);
        break;
    case RETURNED_MASK:
        r = run<OP>(0xfffff, in, l, v);
        break;
    case LOW8:
        if (x < 8)
            r = run<OP>(0xff, in, l, v);
        break;
    case ODD:
        if (x & 1)
            r = run<OP>(0xaaaaaaaa, in, l, v);
        break;
    case QUARTERS:
        r = run<OP>(0xffu << (x & 24), in, l, v);
        break;
    case PARITY:
        r = run<OP>(x & 1 ? 0xaaaaaaaa : 0x55555555, in, l, v);
        break;
    case ARMS:
        if (x < 12) {
            r = run<OP>(0xfff, in, l, v + 0x100);
            r.d += 1;
        } else {
            r = run<OP>(0xfffff000, in, l, v + 0x200);
            r.d += 2;
        }
        break;
    case LOOP:
        r.d = 0;
        for (u32 i = 0, m = ~0u; i <= (x & 3); i++) {
            Result s = run<OP>(m, in, l, v);
            r.d = r.d * 31 + s.d;
            r.p = r.p * 2 + s.p;
            m &= ~(0x11111111u << i);
        }
        break;
    case HOLES:
        if (x < 16)
            r = run<OP>(0xffff, in, l, v);
        break;
    case THIRDS:
        if (x % 3)
            r = run<OP>(0xb6db6db6, in, l, v);
        break;
    case HIGH:
        if (x >= 10)
            r = run<OP>(0xfffffc00, in, l, v);
        break;
    }
    out[OP * LANES + l] = r;
}

template <int G, int FROM, int TO> struct Ops {
    static __device__ __forceinline__ void go(const Input &in, u32 l, u32 x, Result *out)
    {
        one<G, FROM>(in, l, x, out);
        Ops<G, FROM + 1, TO>::go(in, l, x, out);
    }
};
template <int G, int TO> struct Ops<G, TO, TO> {
    static __device__ __forceinline__ void go(const Input &, u32, u32, Result *) {}
};

__device__ __host__ constexpr u32 present(int g) // the lanes that there are
{
    return g == RETURNED || g == RETURNED_MASK || g == SHORT ? 0xfffff
           : g == HOLES                                      ? 0xffffff0f
           : g == SECOND_WARP                                ? 0xffff
                                                             : 0xffffffff;
}

template <int G, int FROM, int TO> __global__ void collectives(const Input *in, Result *out)
{
    u32 l = threadIdx.x & 31, x = in->lane[l];
    if (G == SECOND_WARP && threadIdx.x < LANES)
        return;
    if (G != SHORT && G != SECOND_WARP && !(present(G) >> x & 1))
        return;
    __syncwarp(present(G));
    Ops<G, FROM, TO>::go(*in, l, x, out);
}

// The rules

static Result expected(int op, const Input &in, u32 l, u32 here, u32 members, u32 add)
{
    Operand o = operand(op, in, l, 0x100 + l + add);
    u32 set = 0, same = 0, first = 32;
    for (u32 k = LANES; k-- > 0;) {
        if (!(members >> k & 1))
            continue;
        Operand other = operand(op, in, k, 0x100 + k + add);
        set |= (u32)(other.value != 0) << k;
        same |= (u32)(other.value == o.value && other.wide == o.wide) << k;
        first = k;
    }
    if (op <= BFLY_ONE) {
        int b = (int)(o.b & 31), segment = (int)(o.c >> 8 & 31), low = (int)l & segment,
            high = low | ((int)o.c & 31 & ~segment);
        int source = o.mode == M_UP     ? (int)l - b
                     : o.mode == M_DOWN ? (int)l + b
                     : o.mode == M_BFLY ? (int)l ^ b
                                        : low | (b & ~segment);
        bool found = o.mode == M_UP ? source >= high : source <= high;
        if (!found)
            return {o.value, 0};
        return {here >> source & 1 ? operand(op, in, (u32)source, 0x100 + (u32)source + add).value : 0, 1};
    }
    Result r = {operand(op, in, first, 0).value, 0};
    for (u32 k = first + 1; k < LANES; k++) {
        u32 x = operand(op, in, k, 0).value;
        if (!(members >> k & 1))
            continue;
        switch (op) {
        case SUM:
        case SUM_SAME:
            r.d += x;
            break;
        case LEAST:
            r.d = (int)x < (int)r.d ? x : r.d;
            break;
        case MOST:
            r.d = (int)x > (int)r.d ? x : r.d;
            break;
        case LEAST_U:
            r.d = x < r.d ? x : r.d;
            break;
        case MOST_U:
            r.d = x > r.d ? x : r.d;
            break;
        case AND:
            r.d &= x;
            break;
        case OR:
            r.d |= x;
            break;
        case XOR:
            r.d ^= x;
            break;
        }
    }
    switch (op) {
    case BALLOT:
        return {set, 0};
    case BALLOT_NOT:
        return {members & ~set, 0};
    case ANY:
    case ANY_HIGH:
        return {set != 0, 0};
    case ALL:
    case ALL_LOW:
        return {set == members, 0};
    case UNI:
        return {set == members || !set, 0};
    case MATCH_32:
    case MATCH_64:
        return {same, 0};
    case MATCH_ALL:
    case MATCH_ALL_NOT:
    case MATCH_ALL_64:
        return {same == members ? members : 0, same == members};
    case ACTIVE:
        return {here, 0};
    case ELECT:
        return {first, l == first};
    default:
        return r;
    }
}

static Result expected_under(int g, int op, const Input &in, u32 l)
{
    u32 all = present(g), here = all, members;
    switch (g) {
    case LOW8:
        here &= 0xff;
        break;
    case ODD:
        here &= 0xaaaaaaaa;
        break;
    case ARMS:
        here &= l < 12 ? 0xfff : 0xfffff000;
        break;
    case HOLES:
        here &= 0xffff;
        break;
    case THIRDS:
        here &= 0xb6db6db6;
        break;
    case HIGH:
        here &= 0xfffffc00;
        break;
    }
    if (!(here >> l & 1))
        return {NONE, 0};
    members = here & (g == QUARTERS ? 0xffu << (l & 24) : g == PARITY ? (l & 1 ? 0xaaaaaaaa : 0x55555555) : ~0u);
    if (g == LOOP) {
        Result r = {0, 0};
        for (u32 i = 0, m = ~0u; i <= (l & 3); i++) {
            Result s = expected(op, in, l, m, m, 0);
            r.d = r.d * 31 + s.d;
            r.p = r.p * 2 + s.p;
            m &= ~(0x11111111u << i);
        }
        return r;
    }
    Result r = expected(op, in, l, here, members, g != ARMS ? 0 : l < 12 ? 0x100 : 0x200);
    r.d += g != ARMS ? 0 : l < 12 ? 1 : 2;
    return r;
}

static Input in;
static Input *din;
static Result *dout;

template <int G, int FROM, int TO> static void try_ops()
{
    static Result got[OPS * LANES];
    for (Result &r : got)
        r = {NONE, 0};
    OK(cudaMemcpy(dout, got, sizeof got, cudaMemcpyHostToDevice));
    collectives<G, FROM, TO><<<1, G == SHORT ? 20 : G == SECOND_WARP ? 48 : 32>>>(din, dout);
    LAUNCHED();
    OK(cudaMemcpy(got, dout, sizeof got, cudaMemcpyDeviceToHost));
    for (int op = FROM; op < TO; op++)
        for (u32 l = 0; l < LANES; l++) {
            Result want = present(G) >> l & 1 ? expected_under(G, op, in, l) : Result{NONE, 0}, r = got[op * LANES + l];
            EXPECT(r.d == want.d && r.p == want.p);
            if (r.d != want.d || r.p != want.p)
                std::fprintf(stderr, "guard %d op %d lane %u: %x %u, wanted %x %u\n", G, op, l, r.d, r.p, want.d,
                             want.p);
        }
}

template <int G> struct Guards {
    static void go()
    {
        Guards<G - 1>::go();
        try_ops<G, 0, IDX_ANY>();
        try_ops<G, IDX_ANY, BALLOT>();
        try_ops<G, BALLOT, SUM>();
        try_ops<G, SUM, OPS>();
    }
};
template <> struct Guards<-1> {
    static void go() {}
};

// activemask by its place

enum { PLACES = 13 };

__device__ __noinline__ u32 asked_elsewhere()
{
    return __activemask();
}

__global__ void places(const Input *in, u32 *out)
{
    u32 x = in->lane[threadIdx.x], *q = out + threadIdx.x * PLACES;
    if (x < 8)
        q[0] = __activemask();
    else
        q[0] = __activemask() ^ 1;
    q[1] = __activemask();
    u32 s = 0;
    for (u32 i = 0; i <= (x & 3); i++)
        s = s * 31 + __activemask();
    q[2] = s;
    q[3] = __activemask();
    if (x & 2)
        q[4] = asked_elsewhere();
    q[5] = asked_elsewhere();
    switch (x & 3) {
    case 0:
        q[6] = __activemask();
        break;
    case 1:
        q[6] = 7; // goes on
    case 2:
        q[7] = __activemask();
        break;
    default:
        q[8] = __activemask();
    }
    q[9] = __activemask();
    if (x > 24)
        return;
    q[10] = __activemask();
    __syncwarp(0x1ffffff);
    if (x & 1)
        q[11] = __shfl_sync(0xaaaaaa, x, 3);
    q[12] = __activemask();
}

static void try_places()
{
    u32 *d, got[LANES * PLACES];
    OK(cudaMalloc(&d, sizeof got));
    OK(cudaMemset(d, 0, sizeof got));
    places<<<1, LANES>>>(din, d);
    LAUNCHED();
    OK(cudaMemcpy(got, d, sizeof got, cudaMemcpyDeviceToHost));
    for (u32 l = 0; l < LANES; l++) {
        const u32 *q = got + l * PLACES;
        u32 s = 0, m = ~0u;
        for (u32 i = 0; i <= (l & 3); i++, m &= ~(0x11111111u << (i - 1)))
            s = s * 31 + m;
        EXPECT(q[0] == (l < 8 ? 0xff : 0xffffff01));
        EXPECT(q[1] == ~0u && q[2] == s && q[3] == ~0u && q[5] == ~0u && q[9] == ~0u);
        EXPECT(q[4] == (l & 2 ? 0xcccccccc : 0));
        EXPECT(q[6] == ((l & 3) == 0 ? 0x11111111 : (l & 3) == 1 ? 7 : 0));
        EXPECT(q[7] == ((l & 3) == 1 || (l & 3) == 2 ? 0x66666666 : 0) && q[8] == ((l & 3) == 3 ? 0x88888888 : 0));
        EXPECT(q[10] == (l > 24 ? 0 : 0x1ffffff) && q[12] == (l > 24 ? 0 : 0x1ffffff) &&
               q[11] == (l > 24 || !(l & 1) ? 0 : 3));
    }
    OK(cudaFree(d));
}

int main()
{
    u32 s = 12345;
    for (u32 i = 0; i < 2 * LANES; i++) {
        s = s * 1664525u + 1013904223u;
        (i < LANES ? in.b : in.c)[i % LANES] = s ^ s >> 15;
        in.lane[i % LANES] = i % LANES;
    }
    in.five = 5;
    in.twenty = 20;
    OK(cudaMalloc(&din, sizeof in));
    OK(cudaMalloc(&dout, OPS * LANES * sizeof *dout));
    OK(cudaMemcpy(din, &in, sizeof in, cudaMemcpyHostToDevice));
    Guards<GUARDS - 1>::go();
    try_places();
    return DONE();
}
