; SPDX-License-Identifier: Apache-2.0
; expect: fires
; The vector is built from the values; the stores stay.
; CHECK: remark assemble: k, k.full.0, block 0: built from the 4 values that were just stored
; CHECK: store float %d
; CHECK: insertelement <4 x float> {{.*}}float %d, i32 3
; CHECK-NOT: load
define <4 x float> @k.full.0(ptr %p, ptr %q, float %a, float %b, float %c, float %d) {
  %p1 = getelementptr i8, ptr %p, i64 4
  %p2 = getelementptr i8, ptr %p, i64 8
  %p3 = getelementptr i8, ptr %p, i64 12
  store float %a, ptr %p, align 4
  store float %b, ptr %p1, align 4
  store float %c, ptr %p2, align 4
  store float %d, ptr %p3, align 4
  
  %v = load <4 x float>, ptr %p, align 4
  ret <4 x float> %v
}
