; SPDX-License-Identifier: Apache-2.0
; expect: declines
; So may whoever is called.
; CHECK: %v = load <4 x float>, ptr %p
declare void @away()
define <4 x float> @k.full.0(ptr %p, ptr %q, float %a, float %b, float %c, float %d) {
  %p1 = getelementptr i8, ptr %p, i64 4
  %p2 = getelementptr i8, ptr %p, i64 8
  %p3 = getelementptr i8, ptr %p, i64 12
  store float %a, ptr %p, align 4
  store float %b, ptr %p1, align 4
  store float %c, ptr %p2, align 4
  store float %d, ptr %p3, align 4
  call void @away()
  %v = load <4 x float>, ptr %p, align 4
  ret <4 x float> %v
}
