; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; CHECK: size large
define void @k.full.0(i32 %x0) {
; repeat 8100
  %x$i = add i32 %x$p, 1
; end
  ret void
}
