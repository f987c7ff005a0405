// SPDX-License-Identifier: Apache-2.0
// pocketfft as a library for the bench of the libraries. It is compiled where BENCH_POCKETFFT names a folder with pocketfft_hdronly.h.
#include <complex>
#include <cstddef>
#include <pocketfft_hdronly.h>

template <class T>
static void transform(int dims, const int *size, int batch, bool real, std::size_t threads, const void *in, void *out)
{
    pocketfft::shape_t shape{(std::size_t)batch}, axes;
    for (int i = 0; i < dims; i++) {
        shape.push_back((std::size_t)size[i]);
        axes.push_back((std::size_t)i + 1);
    }
    pocketfft::stride_t from(shape.size()), to(shape.size());
    std::ptrdiff_t step_in = real ? sizeof(T) : 2 * sizeof(T), step_out = 2 * sizeof(T);
    for (std::size_t i = shape.size(); i-- > 0;) {
        from[i] = step_in;
        to[i] = step_out;
        step_in *= (std::ptrdiff_t)shape[i];
        step_out *= (std::ptrdiff_t)(real && i + 1 == shape.size() ? shape[i] / 2 + 1 : shape[i]);
    }
    if (real)
        pocketfft::r2c(shape, from, to, axes, true, (const T *)in, (std::complex<T> *)out, T(1), threads);
    else
        pocketfft::c2c(shape, from, to, axes, true, (const std::complex<T> *)in, (std::complex<T> *)out, T(1), threads);
}

extern "C" void pocketfft_run(int dims, const int *size, int batch, int real, int wide, int threads, const void *in,
                              void *out)
{
    if (wide)
        transform<double>(dims, size, batch, real, (std::size_t)threads, in, out);
    else
        transform<float>(dims, size, batch, real, (std::size_t)threads, in, out);
}
