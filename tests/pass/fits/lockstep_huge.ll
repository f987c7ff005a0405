; SPDX-License-Identifier: Apache-2.0
; expect: fails
; set: free_width=32 block=64 may_narrow lockstep
; The code generator would take minutes: what counts is how many registers the vectors fill.
; CHECK: too_large 1
define void @k.full.0(<512 x i64> %x0) {
; repeat 10100
  %x$i = add <512 x i64> %x$p, %x$p
; end
  ret void
}
