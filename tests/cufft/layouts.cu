// SPDX-License-Identifier: Apache-2.0
// Advanced layouts: strides, distances and embeddings, drawn at random, with integers of 32 and of 64 bits.
// nvcc: -lcufft
#include "reference.h"

static const cufftType types[] = {CUFFT_C2C, CUFFT_R2C, CUFFT_C2R, CUFFT_Z2Z, CUFFT_D2Z, CUFFT_Z2D};

static side draw_side(const std::vector<int> &n, int batch, side s)
{
    s.stride = 1 + draw() % 3;
    s.dist = s.stride;
    for (size_t i = 0; i < n.size(); i++) {
        s.embed[i] = (i + 1 == n.size() ? s.last : n[i]) + (int)(draw() % 3);
        s.dist *= s.embed[i];
    }
    s.dist += draw() % 4;
    if (draw() % 2) { // batches interleaved
        s.dist = 1;
        s.stride = batch;
    }
    return s;
}

static void run_case(cufftType t)
{
    int rank = 1 + (int)(draw() % 3), batch = 1 + (int)(draw() % 4);
    bool real = is_forward_real(t) || is_backward_real(t), wide = draw() % 2;
    std::vector<int> n;
    for (int i = 0; i < rank; i++)
        n.push_back(1 + (int)(draw() % (rank == 1 ? 300 : rank == 2 ? 24 : 9)));
    side in = draw_side(n, batch, packed_side(n, !is_forward_real(t), real, false));
    side out = draw_side(n, batch, packed_side(n, !is_backward_real(t), real, false));
    std::vector<int> ie(in.embed.begin(), in.embed.end()), oe(out.embed.begin(), out.embed.end());
    std::vector<long long> sizes(n.begin(), n.end());
    cufftHandle p;
    size_t bytes = 1, again = 2;
    if (wide) {
        OK(cufftCreate(&p));
        OK(cufftGetSizeMany64(p, rank, sizes.data(), in.embed.data(), in.stride, in.dist, out.embed.data(), out.stride,
                              out.dist, t, batch, &bytes));
        OK(cufftMakePlanMany64(p, rank, sizes.data(), in.embed.data(), in.stride, in.dist, out.embed.data(), out.stride,
                               out.dist, t, batch, &again));
        CHECK(bytes >= again);
    } else {
        OK(cufftPlanMany(&p, rank, n.data(), ie.data(), (int)in.stride, (int)in.dist, oe.data(), (int)out.stride,
                         (int)out.dist, t, batch));
    }
    int direction = draw() % 2 ? CUFFT_FORWARD : CUFFT_INVERSE;
    double e = run_any(p, t, n, batch, in, out, false, direction);
    CHECK(e < BOUND);
    OK(cufftDestroy(p));
    // In place where both sides have the same.
    if (real)
        return;
    OK(cufftPlanMany(&p, rank, n.data(), ie.data(), (int)in.stride, (int)in.dist, ie.data(), (int)in.stride,
                     (int)in.dist, t, batch));
    CHECK(run_any(p, t, n, batch, in, in, true, direction) < BOUND);
    OK(cufftDestroy(p));
}

int main()
{
    for (int i = 0; i < 120; i++)
        run_case(types[i % 6]);
    // Without an embedding, strides and distances do not count.
    int n[2] = {12, 10}, embed[2] = {12, 10};
    cufftHandle p;
    std::vector<int> sizes(n, n + 2);
    OK(cufftPlanMany(&p, 2, n, NULL, 7, 3, NULL, 5, 9, CUFFT_C2C, 3));
    side s = packed_side(sizes, true, false, false);
    CHECK(run_any(p, CUFFT_C2C, sizes, 3, s, s, false, CUFFT_FORWARD) < BOUND);
    OK(cufftDestroy(p));
    // One side alone has none.
    GIVES(cufftPlanMany(&p, 2, n, embed, 7, 3, NULL, 5, 9, CUFFT_C2C, 3), CUFFT_INVALID_VALUE);
    return test_summary();
}
