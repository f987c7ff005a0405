; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64 quick=1
; Code that takes long to optimise runs as quick code first.
; CHECK: size quick
define void @k.full.0(i32 %x0) {
; repeat 800
  %x$i = add i32 %x$p, 1
; end
  ret void
}
