// SPDX-License-Identifier: Apache-2.0
// Plans of FFTW's interface: one of cuFFT's, with the memory that it was made for.
#ifndef HEDDLE_CUFFT_W_PLAN_H
#define HEDDLE_CUFFT_W_PLAN_H
#include "library/library.h"
#include <cufftw.h>

// NULL: it cannot be planned, as FFTW answers.
void *w_plan(cufftType type, int rank, const int *n, void *in, void *out, int sign);
void *w_plan_many(cufftType type, int rank, const int *n, int batch, void *in, void *out, const int *inembed,
                  int istride, int idist, const int *onembed, int ostride, int odist, int sign);
void *w_plan_guru(cufftType type, int rank, const fftw_iodim *dims, int batch_rank, const fftw_iodim *batch_dims,
                  void *in, void *out, int sign);
void *w_plan_guru64(cufftType type, int rank, const fftw_iodim64 *dims, int batch_rank, const fftw_iodim64 *batch_dims,
                    void *in, void *out, int sign);
void w_destroy(void *plan);
void w_execute(void *plan);
void w_execute_new(void *plan, void *in, void *out);
void *w_malloc(size_t bytes);
void w_free(void *memory);
void w_print(const void *plan);
double w_cost(const void *plan);
void w_flops(const void *plan, double *add, double *mul, double *fma);
#endif
