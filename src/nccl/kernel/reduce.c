// SPDX-License-Identifier: Apache-2.0
// The loops, one text for all types (template.h): blocks of elements, held in the first cache, take one operand after the other.
#include "nccl/kernel/reduce.h"
#include "nccl/kernel/number.h"
#include <nccl.h>
#include <stdbool.h>
#include <string.h>

enum { BLOCK = 512 };

#define NAME_(a, b) a##_##b
#define NAME2(a, b) NAME_(a, b)
#define FN(name)    NAME2(name, TAG)
#define SAME(x)     (x)

#define TAG       i8
#define T         int8_t
#define A         int8_t
#define IS_NAN(x) false
#define WRAPS     uint8_t
#define WIDE      int32_t
#define LOAD      SAME
#define STORE     SAME
#include "nccl/kernel/template.h"
#define TAG       u8
#define T         uint8_t
#define A         uint8_t
#define IS_NAN(x) false
#define WRAPS     uint8_t
#define WIDE      uint32_t
#define LOAD      SAME
#define STORE     SAME
#include "nccl/kernel/template.h"
#define TAG       i32
#define T         int32_t
#define A         int32_t
#define IS_NAN(x) false
#define WRAPS     uint32_t
#define WIDE      int32_t
#define LOAD      SAME
#define STORE     SAME
#include "nccl/kernel/template.h"
#define TAG       u32
#define T         uint32_t
#define A         uint32_t
#define IS_NAN(x) false
#define WRAPS     uint32_t
#define WIDE      uint32_t
#define LOAD      SAME
#define STORE     SAME
#include "nccl/kernel/template.h"
#define TAG       i64
#define T         int64_t
#define A         int64_t
#define IS_NAN(x) false
#define WRAPS     uint64_t
#define WIDE      int64_t
#define LOAD      SAME
#define STORE     SAME
#include "nccl/kernel/template.h"
#define TAG       u64
#define T         uint64_t
#define A         uint64_t
#define IS_NAN(x) false
#define WRAPS     uint64_t
#define WIDE      uint64_t
#define LOAD      SAME
#define STORE     SAME
#include "nccl/kernel/template.h"
#define TAG       f16
#define T         uint16_t
#define A         float
#define IS_NAN(x) ((x) != (x))
#define WRAPS     float
#define WIDE      float
#define LOAD      half_to_float
#define STORE     half_of_float
#include "nccl/kernel/template.h"
#define TAG       f32
#define T         float
#define A         float
#define IS_NAN(x) ((x) != (x))
#define WRAPS     float
#define WIDE      float
#define LOAD      SAME
#define STORE     SAME
#include "nccl/kernel/template.h"
#define TAG       f64
#define T         double
#define A         double
#define IS_NAN(x) ((x) != (x))
#define WRAPS     double
#define WIDE      double
#define LOAD      SAME
#define STORE     SAME
#include "nccl/kernel/template.h"
#define TAG       bf16
#define T         uint16_t
#define A         float
#define IS_NAN(x) ((x) != (x))
#define WRAPS     float
#define WIDE      float
#define LOAD      bfloat_to_float
#define STORE     bfloat_of_float
#include "nccl/kernel/template.h"
#define TAG       e4m3
#define T         uint8_t
#define A         float
#define IS_NAN(x) ((x) != (x))
#define WRAPS     float
#define WIDE      float
#define LOAD      e4m3_to_float
#define STORE     e4m3_of_float
#include "nccl/kernel/template.h"
#define TAG       e5m2
#define T         uint8_t
#define A         float
#define IS_NAN(x) ((x) != (x))
#define WRAPS     float
#define WIDE      float
#define LOAD      e5m2_to_float
#define STORE     e5m2_of_float
#include "nccl/kernel/template.h"

typedef void run_fn(const struct reduction *r, void *to, const void *const *from, unsigned operands, size_t n);
static const struct {
    run_fn *run;
    size_t bytes;
} types[] = {
    [ncclInt8] = {run_i8, 1},       [ncclUint8] = {run_u8, 1},        [ncclInt32] = {run_i32, 4},
    [ncclUint32] = {run_u32, 4},    [ncclInt64] = {run_i64, 8},       [ncclUint64] = {run_u64, 8},
    [ncclFloat16] = {run_f16, 2},   [ncclFloat32] = {run_f32, 4},     [ncclFloat64] = {run_f64, 8},
    [ncclBfloat16] = {run_bf16, 2}, [ncclFloat8e4m3] = {run_e4m3, 1}, [ncclFloat8e5m2] = {run_e5m2, 1},
};

size_t reduce_type_bytes(int type)
{
    return types[type].bytes;
}

void reduce_run(const struct reduction *r, void *to, const void *const *from, unsigned operands, size_t n)
{
    types[r->type].run(r, to, from, operands, n);
}
