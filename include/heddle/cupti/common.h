// SPDX-License-Identifier: Apache-2.0
// What all headers of CUPTI have.
#ifndef HEDDLE_CUPTI_COMMON_H
#define HEDDLE_CUPTI_COMMON_H
#include <stddef.h>
#include <stdint.h>
#ifndef CUPTIAPI
#define CUPTIAPI
#endif
#ifndef CUPTIUTILAPI
#define CUPTIUTILAPI
#endif
#ifndef CUPTILP64
#define CUPTILP64 1
#endif
// Records have no padding but what they name, and begin at multiples of 8.
#define ACTIVITY_RECORD_ALIGNMENT 8
#define START_PACKED_ALIGNMENT
#define PACKED_ALIGNMENT __attribute__((__packed__)) __attribute__((aligned(ACTIVITY_RECORD_ALIGNMENT)))
#define END_PACKED_ALIGNMENT
// The size of a structure up to a field, which says of which version it is.
#ifndef CUPTI_CALLBACK_STRUCT_SIZE
#define CUPTI_CALLBACK_STRUCT_SIZE(type_, lastfield_) (offsetof(type_, lastfield_) + sizeof(((type_ *)0)->lastfield_))
#endif
#ifndef CUPTI_PROFILER_STRUCT_SIZE
#define CUPTI_PROFILER_STRUCT_SIZE(type_, lastfield_) (offsetof(type_, lastfield_) + sizeof(((type_ *)0)->lastfield_))
#endif
#endif
