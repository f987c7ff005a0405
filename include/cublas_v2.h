// SPDX-License-Identifier: Apache-2.0
// cuBLAS as programs use it: plain names stand for the functions with a handle.
#ifndef CUBLAS_V2_H_
#define CUBLAS_V2_H_
#ifdef CUBLAS_H_
#error "cublas.h and cublas_v2.h have different functions of the same names: include one of them"
#endif
#include "cublas_api.h"
#include "heddle/cublas/names.h"
#endif
