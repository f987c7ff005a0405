// SPDX-License-Identifier: Apache-2.0
// The functions are defined where they are declared.
#ifndef HEDDLE_VECTOR_FUNCTIONS_HPP
#define HEDDLE_VECTOR_FUNCTIONS_HPP
#include "vector_functions.h"
#endif
