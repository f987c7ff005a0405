// SPDX-License-Identifier: Apache-2.0
// A function's arguments as one structure, laid out as its parameters are: what tools get of a call.
#ifndef HEDDLE_BASE_TIMELINE_PARAMS_H
#define HEDDLE_BASE_TIMELINE_PARAMS_H

#define PARAMS_CAT_(a, b)                                                      a##b
#define PARAMS_CAT(a, b)                                                       PARAMS_CAT_(a, b)
#define PARAMS_PICK(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, ...) r
#define PARAMS_COUNT(...)    PARAMS_PICK(0, ##__VA_ARGS__, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define PARAMS_1(f, x)       f(1, x)
#define PARAMS_2(f, x, ...)  f(2, x) PARAMS_1(f, __VA_ARGS__)
#define PARAMS_3(f, x, ...)  f(3, x) PARAMS_2(f, __VA_ARGS__)
#define PARAMS_4(f, x, ...)  f(4, x) PARAMS_3(f, __VA_ARGS__)
#define PARAMS_5(f, x, ...)  f(5, x) PARAMS_4(f, __VA_ARGS__)
#define PARAMS_6(f, x, ...)  f(6, x) PARAMS_5(f, __VA_ARGS__)
#define PARAMS_7(f, x, ...)  f(7, x) PARAMS_6(f, __VA_ARGS__)
#define PARAMS_8(f, x, ...)  f(8, x) PARAMS_7(f, __VA_ARGS__)
#define PARAMS_9(f, x, ...)  f(9, x) PARAMS_8(f, __VA_ARGS__)
#define PARAMS_10(f, x, ...) f(10, x) PARAMS_9(f, __VA_ARGS__)
#define PARAMS_11(f, x, ...) f(11, x) PARAMS_10(f, __VA_ARGS__)
#define PARAMS_12(f, x, ...) f(12, x) PARAMS_11(f, __VA_ARGS__)
#define PARAMS_13(f, x, ...) f(13, x) PARAMS_12(f, __VA_ARGS__)
#define PARAMS_14(f, x, ...) f(14, x) PARAMS_13(f, __VA_ARGS__)
#define PARAMS_15(f, x, ...) f(15, x) PARAMS_14(f, __VA_ARGS__)
#define PARAMS_16(f, x, ...) f(16, x) PARAMS_15(f, __VA_ARGS__)
#define PARAMS_FIELD(n, x)   __typeof__(x) param##n;
#define PARAMS_VALUE(n, x)   x,

// const void *name: of a structure on the stack with the values of (args), in this order. Without any it is NULL.
#define PARAMS_OPEN(...)           __VA_ARGS__
#define PARAMS_DECLARE(name, args) PARAMS_DECLARE_(name, PARAMS_OPEN args)
#define PARAMS_DECLARE_(name, ...)                                                                                     \
    PARAMS_CAT(PARAMS_DECLARE_, PARAMS_CAT(PARAMS_ANY_, PARAMS_COUNT(__VA_ARGS__)))(name, ##__VA_ARGS__)
#define PARAMS_DECLARE_NONE(name, ...) const void *name = NULL;
#define PARAMS_DECLARE_SOME(name, ...)                                                                                 \
    struct {                                                                                                           \
        PARAMS_CAT(PARAMS_, PARAMS_COUNT(__VA_ARGS__))(PARAMS_FIELD, __VA_ARGS__)                                      \
    } name##_values = {PARAMS_CAT(PARAMS_, PARAMS_COUNT(__VA_ARGS__))(PARAMS_VALUE, __VA_ARGS__)};                     \
    const void *name = &name##_values;
#define PARAMS_ANY_0  NONE
#define PARAMS_ANY_1  SOME
#define PARAMS_ANY_2  SOME
#define PARAMS_ANY_3  SOME
#define PARAMS_ANY_4  SOME
#define PARAMS_ANY_5  SOME
#define PARAMS_ANY_6  SOME
#define PARAMS_ANY_7  SOME
#define PARAMS_ANY_8  SOME
#define PARAMS_ANY_9  SOME
#define PARAMS_ANY_10 SOME
#define PARAMS_ANY_11 SOME
#define PARAMS_ANY_12 SOME
#define PARAMS_ANY_13 SOME
#define PARAMS_ANY_14 SOME
#define PARAMS_ANY_15 SOME
#define PARAMS_ANY_16 SOME
#endif
