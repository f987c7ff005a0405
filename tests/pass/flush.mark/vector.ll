; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: flush_denormals
; Vectors, as builtins have them, are marked whole.
; CHECK: [[B:%[0-9]+]] = bitcast <2 x i32> %w to <2 x float>
; CHECK: call <2 x float> @llvm.canonicalize.v2f32(<2 x float> [[B]])
; CHECK: store <2 x i32> {{%[0-9]+}}, ptr %p
define void @k(ptr %p, <2 x float> %x) {
  %s = fadd <2 x float> %x, %x
  %w = bitcast <2 x float> %s to <2 x i32>
  store <2 x i32> %w, ptr %p
  ret void
}
