; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: flush_denormals
; A product is marked where it is stored; its operand that comes from memory is the processor's (before LLVM 22, which folds constant
; vectors unflushed, it is marked as well).
; CHECK: %m = fmul float
; CHECK: call float @llvm.canonicalize.f32(float %m)
define void @k(ptr %p) {
  %x = load float, ptr %p
  %m = fmul float %x, 2.0
  store float %m, ptr %p
  ret void
}
