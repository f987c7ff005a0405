// SPDX-License-Identifier: Apache-2.0
// Poisson distributions in device memory: square histograms, and sums of probabilities.
#ifndef HEDDLE_CURAND_DISTRIBUTION_H
#define HEDDLE_CURAND_DISTRIBUTION_H
#include <curand.h>
#include "heddle/curand/discrete_types.h"

#define GAUSS_LAMBDA 2000.0 // from here on numbers are rounded normal ones

// The address of a distribution in device memory, one allocation; below GAUSS_LAMBDA *m2 gets that of its histogram.
curandStatus_t heddle_distribution_create(double lambda, curandDiscreteDistribution_t *out,
                                          curandDistributionM2Shift_t *m2);
// The same for the sums of its probabilities.
curandStatus_t heddle_distribution_sums(double lambda, curandDistributionShift_t *out);
#endif
