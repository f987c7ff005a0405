; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; A block of more than twice 4096 instructions is split for the code generator.
; CHECK: br label
define i32 @k.full.0(i32 %x0) {
; repeat 9000
  %x$i = add i32 %x$p, 1
; end
  ret i32 %x9000
}
