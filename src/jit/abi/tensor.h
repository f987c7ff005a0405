// SPDX-License-Identifier: Apache-2.0
// What a CUtensorMap holds: the driver writes it, the engine reads it when a kernel copies a box of the tensor.
#ifndef HEDDLE_JIT_TENSOR_H
#define HEDDLE_JIT_TENSOR_H
#include <stdint.h>

enum { TENSOR_RANK_MAX = 5, TENSOR_MAP_BYTES = 128, TENSOR_MAGIC = 0x544e5348 };
enum tensor_type {
    TENSOR_U8,
    TENSOR_U16,
    TENSOR_U32,
    TENSOR_S32,
    TENSOR_U64,
    TENSOR_S64,
    TENSOR_F16,
    TENSOR_F32,
    TENSOR_F64,
    TENSOR_BF16
};
// What a copy to the tensor does with each element; the order of the operations in tensor.c.
enum tensor_op {
    TENSOR_PUT,
    TENSOR_ADD,
    TENSOR_MIN,
    TENSOR_MAX,
    TENSOR_INC,
    TENSOR_DEC,
    TENSOR_AND,
    TENSOR_OR,
    TENSOR_XOR
};

struct tensor_map {
    uint32_t magic;
    uint8_t rank, bytes; // bytes: of an element
    uint8_t swizzle;     // 0, or the log2 of the chunks of 16 bytes that trade places: 1, 2, 3
    uint8_t nan;         // elements outside are NaN, not 0
    char *address;
    uint64_t strides[TENSOR_RANK_MAX]; // bytes; [0]: of an element
    uint32_t last[TENSOR_RANK_MAX];    // size - 1
    uint16_t box[TENSOR_RANK_MAX];
    uint8_t steps[TENSOR_RANK_MAX]; // from one element taken to the next
    uint8_t type;                   // enum tensor_type
};
_Static_assert(sizeof(struct tensor_map) <= TENSOR_MAP_BYTES, "a tensor map has 128 bytes");
#endif
