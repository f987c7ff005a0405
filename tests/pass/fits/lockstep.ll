; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: free_width=32 block=64 may_narrow lockstep
; A kernel that counts on lockstep keeps its warp in one gang, though it is large.
; CHECK: too_large 0
define void @k.full.0(i32 %x0) {
; repeat 10100
  %x$i = add i32 %x$p, 1
; end
  ret void
}
