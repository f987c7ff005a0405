; SPDX-License-Identifier: Apache-2.0
; expect: fails
; set: free_width=16 block=64 may_narrow
; The kernel is compiled again at width 8.
; CHECK: too_large 1
define void @k.full.0(i32 %x0) {
; repeat 10100
  %x$i = add i32 %x$p, 1
; end
  ret void
}
