// SPDX-License-Identifier: Apache-2.0
// Eigenvalues of Hermitian matrices and of pairs of them; singular values; Jacobi's methods for both.
#include "cusolver/dense/la.h"

#define TEMPLATE "cusolver/dense/jacobi.h"
#include "library/number.h"
#undef TEMPLATE
#define TEMPLATE "cusolver/dense/eigen.h"
#include "library/number.h"
#undef TEMPLATE
#define TEMPLATE "cusolver/dense/svd.h"
#include "library/number.h"
#undef TEMPLATE
