; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: block=64
; CHECK: %x3 = add
; CHECK-NOT: br
; CHECK: ret i32 %x3
define i32 @k.full.0(i32 %x0) {
; repeat 3
  %x$i = add i32 %x$p, 1
; end
  ret i32 %x3
}
