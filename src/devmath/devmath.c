// SPDX-License-Identifier: Apache-2.0
// The whole device math library as one translation unit: so one compiler call makes the one bitcode file, and no linker
// is needed.
#include "devmath/arc.c"
#include "devmath/arith.c"
#undef ALL_MODES
#include "devmath/bessel.c"
#include "devmath/convert.c"
#include "devmath/erf.c"
#include "devmath/exp.c"
#include "devmath/fast.c"
#include "devmath/gamma.c"
#include "devmath/hyperbolic.c"
#include "devmath/integer.c"
#include "devmath/log.c"
#include "devmath/memory.c"
#include "devmath/norm.c"
#include "devmath/pow.c"
#include "devmath/remainder.c"
#include "devmath/round.c"
#include "devmath/simd.c"
#include "devmath/trig.c"
