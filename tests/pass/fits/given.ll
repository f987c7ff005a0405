; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: width=16 block=64
; A width that is given is never too large.
; CHECK: too_large 0
define void @k.full.0(i32 %x0) {
; repeat 10100
  %x$i = add i32 %x$p, 1
; end
  ret void
}
