// SPDX-License-Identifier: Apache-2.0
// Every function of cufftw.h, in both precisions, from w/api.def. Who includes this defines
//   ROW(result, name, (parameters), (arguments), call, status) and VOID(name, (parameters), (arguments), call)
// There is no guard: it is read once for each thing that is made of the rows.
#define FFTW_(x)  fftw_##x
#define FFTW(x)   FFTW_(x)
#define REAL      double
#define COMPLEX   CUFFT_Z2Z
#define FROM_REAL CUFFT_D2Z
#define TO_REAL   CUFFT_Z2D
#include "cufft/w/api.def"
#undef FFTW_
#undef REAL
#undef COMPLEX
#undef FROM_REAL
#undef TO_REAL

#define FFTW_(x)  fftwf_##x
#define REAL      float
#define COMPLEX   CUFFT_C2C
#define FROM_REAL CUFFT_R2C
#define TO_REAL   CUFFT_C2R
#include "cufft/w/api.def"
#undef FFTW_
#undef FFTW
#undef REAL
#undef COMPLEX
#undef FROM_REAL
#undef TO_REAL
