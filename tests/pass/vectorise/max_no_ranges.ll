; SPDX-License-Identifier: Apache-2.0
; expect: partly
; set: width=16 block=64
; after: shapes
; cpu: znver4,-avx512dq
; AVX-512 without its range instructions: the choice is made in vectors of 32 bytes.
; CHECK: define {{.*}}@k.full.0(
; CHECK-NOT: llvm.x86.avx512.mask.range
; CHECK: call <8 x float> @llvm.x86.avx.max.ps.256(
; CHECK: call <8 x float> @llvm.x86.avx.max.ps.256(
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
  %m = call float @heddle.max.f32(float %a, float %b)
  store float %m, ptr addrspace(1) %q, align 4
  ret i32 0
}
