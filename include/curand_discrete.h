// SPDX-License-Identifier: Apache-2.0
// The types of discrete distributions.
#ifndef HEDDLE_CURAND_DISCRETE_FORWARD_H
#define HEDDLE_CURAND_DISCRETE_FORWARD_H
#include "heddle/curand/discrete_types.h"
#endif
