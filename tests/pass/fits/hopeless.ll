; SPDX-License-Identifier: Apache-2.0
; expect: fails
; set: free_width=8 block=64 may_narrow regions=12000
; More for the gang than for its threads one after the other: the kernel is compiled again at width 1.
; CHECK: too_large 1
define void @k.full.0(i32 %x0) {
; repeat 100100
  %x$i = add i32 %x$p, 1
; end
  ret void
}
