; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: free_width=8 block=64 may_narrow regions=13000
; As much code, but each thread alone has more than an eighth of it to do.
; CHECK: too_large 0
define void @k.full.0(i32 %x0) {
; repeat 100100
  %x$i = add i32 %x$p, 1
; end
  ret void
}
