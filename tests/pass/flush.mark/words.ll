; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: flush_denormals
; llvm: 22
; Words that no arithmetic makes, of which one would be a signalling NaN, and results that only arithmetic and comparisons take.
; CHECK: define
; CHECK-NOT: canonicalize
define void @k(ptr %p, i1 %c, float %x) {
  %w = select i1 %c, i32 2139095041, i32 1065353216
  store i32 %w, ptr %p
  %l = load float, ptr %p
  store float %l, ptr %p
  %a = fadd float %l, %x
  %b = fmul float %a, %a
  %t = fcmp olt float %b, 1.0
  store i1 %t, ptr %p
  ret void
}
