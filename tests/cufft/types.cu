// SPDX-License-Identifier: Apache-2.0
// Plans by type: floats and doubles as well, and numbers of 16 bits with powers of two.
// nvcc: -lcufft
#include "reference.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cufftXt.h>

template <class T> struct words;
template <> struct words<float> {
    static const cudaDataType real = CUDA_R_32F, complex = CUDA_C_32F;
    static constexpr double eps = 0x1p-24;
};
template <> struct words<double> {
    static const cudaDataType real = CUDA_R_64F, complex = CUDA_C_64F;
    static constexpr double eps = 0x1p-53;
};
template <> struct words<__half> {
    static const cudaDataType real = CUDA_R_16F, complex = CUDA_C_16F;
    static constexpr double eps = 0x1p-11;
};
template <> struct words<__nv_bfloat16> {
    static const cudaDataType real = CUDA_R_16BF, complex = CUDA_C_16BF;
    static constexpr double eps = 0x1p-8;
};

template <class T> static T narrowed(double v)
{
    return (T)(float)v;
}
template <> double narrowed<double>(double v)
{
    return v;
}
template <class T> static double widened(T v)
{
    return (double)(float)v;
}
template <> double widened<double>(double v)
{
    return v;
}

// kind: 0 complex, 1 real to complex, 2 back.
template <class T> static void run_case(const std::vector<int> &n, int batch, int kind, bool in_place, int direction)
{
    cudaDataType in_type = kind == 1 ? words<T>::real : words<T>::complex,
                 out_type = kind == 2 ? words<T>::real : words<T>::complex;
    side in = packed_side(n, kind != 1, kind != 0, in_place), out = packed_side(n, kind != 2, kind != 0, in_place);
    std::vector<long long> sizes(n.begin(), n.end());
    size_t bytes, total = (size_t)batch;
    cufftHandle p;
    OK(cufftCreate(&p));
    OK(cufftXtMakePlanMany(p, (int)n.size(), sizes.data(), NULL, 1, 1, in_type, NULL, 1, 1, out_type, batch, &bytes,
                           words<T>::complex));
    for (size_t i = 0; i < n.size(); i++)
        total *= (size_t)n[i];
    std::vector<number> x(total);
    for (size_t i = 0; i < total; i++)
        x[i] = number(draw_real(), kind ? 0 : draw_real());
    if (kind == 2)
        dft(x, n, -1);
    size_t a = side_scalars(in, n, batch), b = side_scalars(out, n, batch), room = a > b ? a : b;
    std::vector<double> wide(room);
    side_fill(in, n, x, wide.data());
    std::vector<T> host(room);
    for (size_t i = 0; i < room; i++)
        host[i] = narrowed<T>(wide[i]);
    T *from, *to;
    OK(cudaMalloc(&from, room * sizeof(T)));
    OK(cudaMalloc(&to, room * sizeof(T)));
    OK(cudaMemcpy(from, host.data(), room * sizeof(T), cudaMemcpyHostToDevice));
    if (kind == 1)
        GIVES(cufftXtExec(p, from, in_place ? from : to, CUFFT_INVERSE), CUFFT_INVALID_VALUE);
    OK(cufftXtExec(p, from, in_place ? from : to, direction));
    OK(cudaMemcpy(host.data(), in_place ? from : to, room * sizeof(T), cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < room; i++)
        wide[i] = widened<T>(host[i]);
    dft(x, n, kind == 1 ? -1 : kind == 2 ? 1 : direction);
    double e = side_error(out, n, x, wide.data());
    if (!(e < BOUND * words<T>::eps * std::log2((double)total + 2)))
        std::fprintf(stderr, "%d bytes, kind %d, in place %d, size %d: %g\n", (int)sizeof(T), kind, in_place, n[0], e);
    CHECK(e < BOUND * words<T>::eps * std::log2((double)total + 2));
    OK(cufftDestroy(p));
    OK(cudaFree(from));
    OK(cudaFree(to));
}

template <class T> static void run_type()
{
    static const int shapes[][3] = {{64, 0, 0}, {256, 0, 0}, {16, 32, 0}, {8, 4, 16}};
    for (int s = 0; s < 4; s++) {
        std::vector<int> n;
        for (int i = 0; i < 3 && shapes[s][i]; i++)
            n.push_back(shapes[s][i]);
        for (int kind = 0; kind < 3; kind++)
            for (int in_place = 0; in_place < 2; in_place++)
                run_case<T>(n, 1 + s, kind, in_place, kind == 2 || (!kind && s % 2) ? CUFFT_INVERSE : CUFFT_FORWARD);
    }
}

int main()
{
    run_type<float>();
    run_type<double>();
    run_type<__half>();
    run_type<__nv_bfloat16>();
    cufftHandle p;
    size_t bytes;
    long long eight[1] = {8}, six[1] = {6};
    OK(cufftCreate(&p));
    CHECK(cufftXtMakePlanMany(p, 1, six, NULL, 1, 1, CUDA_C_16F, NULL, 1, 1, CUDA_C_16F, 1, &bytes, CUDA_C_16F) !=
          CUFFT_SUCCESS);
    CHECK(cufftXtMakePlanMany(p, 1, eight, NULL, 1, 1, CUDA_C_8I, NULL, 1, 1, CUDA_C_8I, 1, &bytes, CUDA_C_8I) !=
          CUFFT_SUCCESS);
    CHECK(cufftXtMakePlanMany(p, 1, eight, NULL, 1, 1, CUDA_R_32F, NULL, 1, 1, CUDA_R_32F, 1, &bytes, CUDA_C_32F) !=
          CUFFT_SUCCESS);
    OK(cufftXtGetSizeMany(p, 1, eight, NULL, 1, 1, CUDA_C_16F, NULL, 1, 1, CUDA_C_16F, 1, &bytes, CUDA_C_16F));
    OK(cufftXtMakePlanMany(p, 1, eight, NULL, 1, 1, CUDA_C_32F, NULL, 1, 1, CUDA_C_32F, 1, &bytes, CUDA_C_32F));
    OK(cufftXtSetWorkAreaPolicy(p, CUFFT_WORKAREA_MINIMAL, &bytes));
    OK(cufftDestroy(p));
    return test_summary();
}
