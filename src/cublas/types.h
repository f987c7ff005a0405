// SPDX-License-Identifier: Apache-2.0
// Reads the table EACH_TABLE once for each of the types S, D, C and Z. A row KIND(form, columns...) becomes form(columns...) for the
// types that its kind names. What a row may say of the type: T, R, TYPE and the prefixes of names; typed.def tells what they are.
#define SDCZ(form, ...) form(__VA_ARGS__)
#define SD(form, ...)   form(__VA_ARGS__)
#define CZ(...)
#define T    float
#define R    float
#define TYPE BLAS_S
#define P    S
#define PR   S
#define PI   Is
#include EACH_TABLE
#undef T
#undef R
#undef TYPE
#undef P
#undef PR
#undef PI

#define T    double
#define R    double
#define TYPE BLAS_D
#define P    D
#define PR   D
#define PI   Id
#include EACH_TABLE
#undef T
#undef R
#undef TYPE
#undef P
#undef PR
#undef PI

#undef SD
#undef CZ
#define SD(...)
#define CZ(form, ...) form(__VA_ARGS__)
#define T             cuComplex
#define R             float
#define TYPE          BLAS_C
#define P             C
#define PR            Sc
#define PM            Cs
#define PI            Ic
#include EACH_TABLE
#undef T
#undef R
#undef TYPE
#undef P
#undef PR
#undef PM
#undef PI

#define T    cuDoubleComplex
#define R    double
#define TYPE BLAS_Z
#define P    Z
#define PR   Dz
#define PM   Zd
#define PI   Iz
#include EACH_TABLE
#undef T
#undef R
#undef TYPE
#undef P
#undef PR
#undef PM
#undef PI

#undef SDCZ
#undef SD
#undef CZ
