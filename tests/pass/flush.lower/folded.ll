; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: flush_denormals
; What has become a load is flushed by its bits, and what the code generator would take an operand for. The fma of constants gets one of
; them from a variable.
; CHECK: [[C:%[0-9]+]] = alloca <2 x float>
; CHECK: and <2 x i32> {{%[0-9]+}}, {{(splat \(|<)i32 2139095040.*}}
; CHECK: icmp eq <2 x i32>
; CHECK: %i = fmul <2 x float> %l, <float 2.0{{.*}}, float 1.0{{.*}}>
; CHECK: and <2 x i32> {{%[0-9]+}}, {{(splat \(|<)i32 2139095040.*}}
; CHECK: store volatile <2 x float> {{(splat \(|<)float 2.0.*}}, ptr [[C]]
; CHECK: [[V:%[0-9]+]] = load volatile <2 x float>, ptr [[C]]
; CHECK: %f = call <2 x float> @llvm.fma.v2f32(<2 x float> [[V]],
; CHECK-NOT: call {{.*}}canonicalize
define void @k(ptr %p) {
  %l = load <2 x float>, ptr %p
  %c = call <2 x float> @llvm.canonicalize.v2f32(<2 x float> %l)
  store <2 x float> %c, ptr %p
  %i = fmul <2 x float> %l, <float 2.0, float 1.0>
  %d = call <2 x float> @llvm.canonicalize.v2f32(<2 x float> %i)
  store <2 x float> %d, ptr %p
  %f = call <2 x float> @llvm.fma.v2f32(<2 x float> splat (float 2.0), <2 x float> splat (float 3.0), <2 x float> splat (float 4.0))
  store <2 x float> %f, ptr %p
  ret void
}
declare <2 x float> @llvm.canonicalize.v2f32(<2 x float>)
declare <2 x float> @llvm.fma.v2f32(<2 x float>, <2 x float>, <2 x float>)
