// SPDX-License-Identifier: Apache-2.0
// LLVM's own passes as the rows of pass.def name them, which tests run as well.
#ifndef HEDDLE_JIT_LLVM_PASSES_H
#define HEDDLE_JIT_LLVM_PASSES_H

// One-thread code is brought to SSA form, callees are inlined, loops rotated so that their exits are at the bottom.
#define SCALAR_PASSES                                                                                                  \
    "always-inline,globaldce,function(sroa,early-cse,instcombine<no-verify-fixpoint>,simplifycfg,"                     \
    "jump-threading,loop-simplify,loop(loop-rotate),instcombine<no-verify-fixpoint>,simplifycfg)"
#define GUARD_PASSES "function(simplifycfg)"
// Loops that opt/unroll.c has marked; then, with their pointers in one form.
#define UNROLL_PASSES "function(simplifycfg,loop-simplify,lcssa,loop-unroll<O2>)"
#define SETTLE_PASSES "function(early-cse,instcombine<no-verify-fixpoint>,simplifycfg)"
// lower/structurise.c tells what these are for.
#define PREPARE_PASSES  "function(mem2reg,instcombine<no-verify-fixpoint>,simplifycfg,mergereturn,lower-switch)"
#define REGISTER_PASSES "function(mem2reg)"
#define STRUCTURE_PASSES                                                                                               \
    "function(loop-simplify,unify-loop-exits,lcssa,structurizecfg,instsimplify,loop-simplify,lcssa)"
// Nothing here changes the graph but for blocks that loops lack.
#define DISPATCH_PASSES "function(mem2reg,instsimplify,loop-simplify,lcssa)"

// The gang code: what of LLVM's O2 pays for it, in a third of the time. O2 combines instructions nine times, which is half of
// its work, numbers values across blocks and widens counters; kernels ran no faster for that. What looks superfluous and is
// not: conditions that are known are found before anything else (Needleman-Wunsch), and masks brought into an order in which
// the second combining sees selections (mandelbrot).
#define GANG_COMBINE "instcombine<max-iterations=1;no-verify-fixpoint>"
#define GANG_PASSES                                                                                                    \
    "always-inline,globaldce,function(sroa,early-cse<memssa>,jump-threading,correlated-propagation,"                   \
    "simplifycfg," GANG_COMBINE ",reassociate,loop-mssa(loop-rotate,licm,simple-loop-unswitch),loop(loop-deletion,"    \
    "loop-unroll-full),simplifycfg," GANG_COMBINE                                                                      \
    ",loop-mssa(licm),early-cse<memssa>,adce,simplifycfg<hoist-common-insts;sink-common-insts>,loop-unroll,early-cse," \
    "simplifycfg)"
// Of a large kernel, whose time is spread over much code, the passes that every instruction gains from; those that look at
// loops and memory as a whole take more than in proportion.
#define GANG_PASSES_LARGE                                                                                              \
    "always-inline,globaldce,function(sroa,early-cse<memssa>,simplifycfg," GANG_COMBINE                                \
    ",loop-mssa(licm),simplifycfg," GANG_COMBINE ",early-cse<memssa>,adce,simplifycfg)"
// Of quick code: what half of the instructions go by.
#define GANG_PASSES_QUICK                                                                                              \
    "always-inline,globaldce,function(sroa,early-cse<memssa>,simplifycfg," GANG_COMBINE                                \
    ",loop-mssa(licm),adce,simplifycfg)"
// Of code to be debugged: as written, but without functions that nothing calls any more. One that calls itself stays otherwise, with operations
// that only code for gangs has a form of.
#define GANG_PASSES_DEBUG "globaldce,default<O0>"
// What no kernel may be too large for: passes whose time is in proportion.
#define GANG_PASSES_HUGE "always-inline,globaldce,function(sroa,early-cse,simplifycfg,adce)"
// Of code so deep that combining instructions takes the square of its depth (proportion.c).
#define GANG_PASSES_DEEP                                                                                               \
    "always-inline,globaldce,function(sroa,early-cse<memssa>,simplifycfg,loop-mssa(licm),early-cse<memssa>,adce,"      \
    "simplifycfg)"
#endif
