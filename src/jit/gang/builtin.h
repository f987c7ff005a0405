// SPDX-License-Identifier: Apache-2.0
// Variants of builtins that shapes and emitters both know.
#ifndef HEDDLE_JIT_GANG_BUILTIN_H
#define HEDDLE_JIT_GANG_BUILTIN_H
enum shuffle_mode { SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BFLY, SHUFFLE_IDX };
enum vote_mode { VOTE_BALLOT, VOTE_ANY, VOTE_ALL, VOTE_UNI };
enum redux_op { REDUX_ADD, REDUX_SMIN, REDUX_SMAX, REDUX_UMIN, REDUX_UMAX, REDUX_AND, REDUX_OR, REDUX_XOR };
#endif
