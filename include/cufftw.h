// SPDX-License-Identifier: Apache-2.0
// FFTW's interface over cuFFT.
#ifndef _CUFFTW_H_
#define _CUFFTW_H_
#include "cufft.h"
#include <stddef.h>
#include <stdio.h>

#define FFTW_FORWARD  -1
#define FFTW_INVERSE  1
#define FFTW_BACKWARD 1

#define FFTW_ESTIMATE       0x01
#define FFTW_MEASURE        0x02
#define FFTW_PATIENT        0x03
#define FFTW_EXHAUSTIVE     0x04
#define FFTW_WISDOM_ONLY    0x05
#define FFTW_DESTROY_INPUT  0x08
#define FFTW_PRESERVE_INPUT 0x0C
#define FFTW_UNALIGNED      0x10

// C's own complex numbers, where complex.h was included before.
#if !defined(FFTW_NO_Complex) && defined(_Complex_I) && defined(complex)
typedef double _Complex fftw_complex;
typedef float _Complex fftwf_complex;
#else
typedef double fftw_complex[2];
typedef float fftwf_complex[2];
#endif

typedef void *fftw_plan;
typedef void *fftwf_plan;

typedef struct {
    int n;
    int is;
    int os;
} fftw_iodim;
typedef fftw_iodim fftwf_iodim;

typedef struct {
    ptrdiff_t n;
    ptrdiff_t is;
    ptrdiff_t os;
} fftw_iodim64;
typedef fftw_iodim64 fftwf_iodim64;

#if defined(__cplusplus)
extern "C" {
#endif
#include "heddle/cufft/w_functions.h"
#if defined(__cplusplus)
}
#endif
#endif
