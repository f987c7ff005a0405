; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; after: shapes
; cpu: haswell
; -0 gives way to +0: as a constant it takes more than one instruction.
; CHECK: define {{.*}}@k.full.0(
; CHECK: call <8 x float> @llvm.x86.avx.max.ps.256(
; CHECK: call <8 x float> @llvm.x86.avx.max.ps.256(
; CHECK: call <8 x float> @llvm.x86.avx.max.ps.256(
; CHECK: and <8 x i32>
; CHECK: store
declare i32 @heddle.tid.x()
declare float @heddle.max.f32(float, float)
declare float @heddle.min.f32(float, float)
define i32 @k.region.0() {
  %x = call i32 @heddle.tid.x()
  %e = zext i32 %x to i64
  %o = shl i64 %e, 2
  %q = inttoptr i64 %o to ptr addrspace(1)
  %a = load float, ptr addrspace(1) %q, align 4
  %o2 = or i64 %o, 4096
  %q2 = inttoptr i64 %o2 to ptr addrspace(1)
  %b = load float, ptr addrspace(1) %q2, align 4
  %m = call float @heddle.max.f32(float %a, float -0.0)
  store float %m, ptr addrspace(1) %q, align 4
  ret i32 0
}
