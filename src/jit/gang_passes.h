// SPDX-License-Identifier: Apache-2.0
// LLVM's passes over gang code: those of the pipeline (compile.c tells why these), which tests run as well (tests/unit/vectorise/masked.c).
#ifndef HEDDLE_JIT_GANG_PASSES_H
#define HEDDLE_JIT_GANG_PASSES_H

#define GANG_COMBINE "instcombine<max-iterations=1;no-verify-fixpoint>"
#define GANG_PASSES                                                                                                    \
    "always-inline,globaldce,function(sroa,early-cse<memssa>,jump-threading,correlated-propagation,"                   \
    "simplifycfg," GANG_COMBINE ",reassociate,loop-mssa(loop-rotate,licm,simple-loop-unswitch),loop(loop-deletion,"    \
    "loop-unroll-full),simplifycfg," GANG_COMBINE                                                                      \
    ",loop-mssa(licm),early-cse<memssa>,adce,simplifycfg<hoist-common-insts;sink-common-insts>,loop-unroll,early-cse," \
    "simplifycfg)"
// Of a large kernel, whose time goes to many places, the passes that every instruction gains from; those that look at
// loops and memory as a whole take more than in proportion.
#define GANG_PASSES_LARGE                                                                                              \
    "always-inline,globaldce,function(sroa,early-cse<memssa>,simplifycfg," GANG_COMBINE                                \
    ",loop-mssa(licm),simplifycfg," GANG_COMBINE ",early-cse<memssa>,adce,simplifycfg)"
// Of quick code: what half of the instructions go by.
#define GANG_PASSES_QUICK                                                                                              \
    "always-inline,globaldce,function(sroa,early-cse<memssa>,simplifycfg," GANG_COMBINE                                \
    ",loop-mssa(licm),adce,simplifycfg)"
// What no kernel may be too large for: passes whose time is in proportion.
#define GANG_PASSES_HUGE "always-inline,globaldce,function(sroa,early-cse,simplifycfg,adce)"
// Of code so deep that combining instructions takes the square of its depth (proportion.c).
#define GANG_PASSES_DEEP                                                                                               \
    "always-inline,globaldce,function(sroa,early-cse<memssa>,simplifycfg,loop-mssa(licm),early-cse<memssa>,adce,"      \
    "simplifycfg)"
#endif
