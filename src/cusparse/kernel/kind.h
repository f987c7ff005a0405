// SPDX-License-Identifier: Apache-2.0
// Kernels that are one text for all types: reads the file TEMPLATE once for each kind of work. A kind is four letters of enum
// sparse_type: of the matrix A, of what it is multiplied with (X), of the result (Y), and of the numbers that are computed with. Words:
//   EA EX EY   elements in memory     LA(e) LX(e) LY(e)   as T      SY(t)   a T as an EY
//   T   the type of computing         CONJ(t)                       FN(name)   a name of its own
//   COMPLEX   whether T is
// KIND_MIXED: those with different types too; KIND_FOUR: only S, D, C and Z. KINDS(X), KINDS_MIXED(X) and KINDS_FOUR(X) list them.
#include "cusparse/kernel/number.h"

#define KA S
#define KX S
#define KY S
#define KT S
#include TEMPLATE
#undef KA
#undef KX
#undef KY
#undef KT

#define KA D
#define KX D
#define KY D
#define KT D
#include TEMPLATE
#undef KA
#undef KX
#undef KY
#undef KT

#define KA C
#define KX C
#define KY C
#define KT C
#include TEMPLATE
#undef KA
#undef KX
#undef KY
#undef KT

#define KA Z
#define KX Z
#define KY Z
#define KT Z
#include TEMPLATE
#undef KA
#undef KX
#undef KY
#undef KT

#ifndef KIND_FOUR
#define KA H
#define KX H
#define KY H
#define KT S
#include TEMPLATE
#undef KA
#undef KX
#undef KY
#undef KT

#define KA B
#define KX B
#define KY B
#define KT S
#include TEMPLATE
#undef KA
#undef KX
#undef KY
#undef KT

#define KA K
#define KX K
#define KY K
#define KT C
#include TEMPLATE
#undef KA
#undef KX
#undef KY
#undef KT

#define KA L
#define KX L
#define KY L
#define KT C
#include TEMPLATE
#undef KA
#undef KX
#undef KY
#undef KT
#endif

#ifdef KIND_MIXED
#define KA H
#define KX H
#define KY S
#define KT S
#include TEMPLATE
#undef KA
#undef KX
#undef KY
#undef KT

#define KA B
#define KX B
#define KY S
#define KT S
#include TEMPLATE
#undef KA
#undef KX
#undef KY
#undef KT

#define KA J
#define KX J
#define KY I
#define KT I
#include TEMPLATE
#undef KA
#undef KX
#undef KY
#undef KT

#define KA J
#define KX J
#define KY S
#define KT S
#include TEMPLATE
#undef KA
#undef KX
#undef KY
#undef KT

#define KA S
#define KX D
#define KY D
#define KT D
#include TEMPLATE
#undef KA
#undef KX
#undef KY
#undef KT

#define KA S
#define KX C
#define KY C
#define KT C
#include TEMPLATE
#undef KA
#undef KX
#undef KY
#undef KT

#define KA D
#define KX Z
#define KY Z
#define KT Z
#include TEMPLATE
#undef KA
#undef KX
#undef KY
#undef KT
#endif
