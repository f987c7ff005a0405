// SPDX-License-Identifier: Apache-2.0
// The second half of math_functions.h elsewhere; here all is in that.
#ifndef HEDDLE_CRT_MATH_FUNCTIONS_HPP
#define HEDDLE_CRT_MATH_FUNCTIONS_HPP
#include "math_functions.h"
#endif
