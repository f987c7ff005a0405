; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: flush_denormals
; Arithmetic that the processor executes is flushed as it is, also through phis and selections; an fma with 1 added is none that could go.
; CHECK: %f = call float @llvm.fma.f32(float %x, float %x, float 1.0
; CHECK-NEXT: store float %f, ptr %p
; CHECK: %s = select i1 %c, float %m, float 0.0
; CHECK-NEXT: store float %s, ptr %p
; CHECK-NOT: icmp
define void @k(ptr %p, i1 %c, float %x) {
  %f = call float @llvm.fma.f32(float %x, float %x, float 1.0)
  %a = call float @llvm.canonicalize.f32(float %f)
  store float %a, ptr %p
  %m = fmul float %x, 0.0
  %s = select i1 %c, float %m, float 0.0
  %b = call float @llvm.canonicalize.f32(float %s)
  store float %b, ptr %p
  ret void
}
declare float @llvm.canonicalize.f32(float)
declare float @llvm.fma.f32(float, float, float)
