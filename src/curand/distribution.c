// SPDX-License-Identifier: Apache-2.0
// Marsaglia, Tsang and Wang's square histograms ("Fast generation of discrete random variables", 2004) of Poisson
// distributions: n columns of the same area, each split between its own number and one other, so that a number is one
// look into a table.
//
// The numbers that a generator gives depend on who gives to whom. As in cuRAND, columns below the mean area are filled
// in ascending order, over and over, from the highest one that is above it, until that is below it itself. The columns
// are all whose probability is not 0 as a double.
#include "curand/distribution.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct histogram {
    unsigned int shift, length;
    double *share; // first the probabilities, then up to where a column is its own
    unsigned int *other;
};

static double probability(double lambda, unsigned int k)
{
    int sign;
    return exp(k * log(lambda) - lambda - lgamma_r(k + 1.0, &sign));
}
// The numbers whose probability is not 0.
static void find_range(double lambda, unsigned int *shift, unsigned int *length)
{
    unsigned int first = 0, end = (unsigned int)lambda + 1;
    while (probability(lambda, first) == 0)
        first++;
    while (probability(lambda, end) > 0)
        end++;
    *shift = first;
    *length = end - first;
}
static bool histogram_alloc(struct histogram *h, double lambda)
{
    find_range(lambda, &h->shift, &h->length);
    h->share = malloc(h->length * sizeof(*h->share));
    h->other = malloc(h->length * sizeof(*h->other));
    return h->share && h->other;
}
static bool histogram_fill(struct histogram *h, double lambda)
{
    unsigned int n = h->length, giver = n - 1;
    double *left = h->share, area = 1.0 / n;
    bool *full = calloc(n, sizeof(*full)), more = true;
    if (!full)
        return false;
    for (unsigned int i = 0; i < n; i++) {
        left[i] = probability(lambda, h->shift + i);
        h->other[i] = i;
    }
    while (giver > 0 && left[giver] < area)
        giver--;
    while (more) {
        more = false;
        for (unsigned int i = 0; i < n; i++) {
            if (full[i] || i == giver || !(left[i] < area))
                continue;
            full[i] = more = true;
            h->other[i] = giver;
            left[giver] -= area - left[i];
            if (left[giver] >= area)
                continue;
            unsigned int next = giver;
            while (next > 0 && (full[next] || left[next] < area))
                next--;
            if (full[next] || left[next] < area) { // rounding is all that is left
                more = false;
                break;
            }
            giver = next;
        }
    }
    for (unsigned int i = 0; i < n; i++)
        h->share[i] = i * area + left[i];
    free(full);
    return true;
}
// What lies in device memory one after the other.
struct image {
    struct curandDiscreteDistribution_st distribution;
    struct curandDistributionM2Shift_st m2;
    struct curandHistogramM2_st histogram;
};

curandStatus_t heddle_distribution_create(double lambda, curandDiscreteDistribution_t *out,
                                          curandDistributionM2Shift_t *m2)
{
    struct histogram h = {0};
    curandStatus_t status = CURAND_STATUS_ALLOCATION_FAILED;
    bool gauss = lambda >= GAUSS_LAMBDA;
    char *device = NULL, *host = NULL;
    if (!gauss && !(histogram_alloc(&h, lambda) && histogram_fill(&h, lambda)))
        goto done;
    size_t shares = h.length * sizeof(*h.share), others = h.length * sizeof(*h.other);
    size_t size = sizeof(struct image) + shares + others;
    host = calloc(1, size);
    if (!host || cudaMalloc((void **)&device, size))
        goto done;
    struct image *image = (struct image *)host;
    if (gauss) {
        image->distribution.method = CURAND_DISCRETE_GAUSS;
        image->distribution.mean = lambda;
        image->distribution.stddev = sqrt(lambda);
    } else {
        image->distribution.method = CURAND_M2;
        image->distribution.__M2 = (curandDistributionM2Shift_t)(device + offsetof(struct image, m2));
        image->m2.histogram = (curandHistogramM2_t)(device + offsetof(struct image, histogram));
        image->m2.shift = h.shift;
        image->m2.length = h.length;
        image->histogram.__V = (curandHistogramM2V_t)(device + sizeof(struct image));
        image->histogram.__K = (curandHistogramM2K_t)(device + sizeof(struct image) + shares);
        memcpy(host + sizeof(struct image), h.share, shares);
        memcpy(host + sizeof(struct image) + shares, h.other, others);
    }
    if (cudaMemcpy(device, host, size, cudaMemcpyHostToDevice)) {
        cudaFree(device);
        status = CURAND_STATUS_PREEXISTING_FAILURE;
        goto done;
    }
    *out = (curandDiscreteDistribution_t)device;
    if (m2)
        *m2 = image->distribution.__M2;
    status = CURAND_STATUS_SUCCESS;
done:
    free(h.share);
    free(h.other);
    free(host);
    return status;
}

curandStatus_t heddle_distribution_sums(double lambda, curandDistributionShift_t *out)
{
    unsigned int shift, length;
    find_range(lambda, &shift, &length);
    size_t size = sizeof(struct curandDistributionShift_st) + length * sizeof(double);
    char *host = calloc(1, size), *device = NULL;
    if (!host || cudaMalloc((void **)&device, size)) {
        free(host);
        return CURAND_STATUS_ALLOCATION_FAILED;
    }
    struct curandDistributionShift_st *d = (struct curandDistributionShift_st *)host;
    double *sums = (double *)(d + 1), sum = 0;
    d->probability = (curandDistribution_t)(device + sizeof(*d));
    d->shift = shift;
    d->length = length;
    for (unsigned int i = 0; i < length; i++)
        sums[i] = sum += probability(lambda, shift + i);
    cudaError_t error = cudaMemcpy(device, host, size, cudaMemcpyHostToDevice);
    free(host);
    if (error) {
        cudaFree(device);
        return CURAND_STATUS_PREEXISTING_FAILURE;
    }
    *out = (curandDistributionShift_t)device;
    return CURAND_STATUS_SUCCESS;
}
