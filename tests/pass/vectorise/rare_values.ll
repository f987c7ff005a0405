; SPDX-License-Identifier: Apache-2.0
; expect: partly
; set: width=32 block=64
; after: shapes batch
; cpu: skylake-avx512
; In AVX-512's there is room for them.
; CHECK: define {{.*}}@k.full.0(
; CHECK: phi <32 x i32>
; CHECK-NOT: phi ptr
declare i32 @heddle.tid.x()
declare i32 @heddle.ctaid.x()
declare ptr addrspace(4) @heddle.args()
define i32 @k.region.0() {
  %a = call ptr addrspace(4) @heddle.args()
  %p = load i64, ptr addrspace(4) %a
  %c = call i32 @heddle.ctaid.x()
  %x = call i32 @heddle.tid.x()
  %n = shl i32 %c, 6
  %i = add i32 %n, %x
  %i0 = add i32 %i, 0
  %e0 = sext i32 %i0 to i64
  %o0 = shl i64 %e0, 2
  %b0 = add i64 %p, %o0
  %q0 = inttoptr i64 %b0 to ptr addrspace(1)
  %v0 = load i32, ptr addrspace(1) %q0, align 4
  %i1 = add i32 %i, 1000
  %e1 = sext i32 %i1 to i64
  %o1 = shl i64 %e1, 2
  %b1 = add i64 %p, %o1
  %q1 = inttoptr i64 %b1 to ptr addrspace(1)
  %v1 = load i32, ptr addrspace(1) %q1, align 4
  %i2 = add i32 %i, 2000
  %e2 = sext i32 %i2 to i64
  %o2 = shl i64 %e2, 2
  %b2 = add i64 %p, %o2
  %q2 = inttoptr i64 %b2 to ptr addrspace(1)
  %v2 = load i32, ptr addrspace(1) %q2, align 4
  %i3 = add i32 %i, 3000
  %e3 = sext i32 %i3 to i64
  %o3 = shl i64 %e3, 2
  %b3 = add i64 %p, %o3
  %q3 = inttoptr i64 %b3 to ptr addrspace(1)
  %v3 = load i32, ptr addrspace(1) %q3, align 4
  %s1 = add i32 %v0, %v1
  %s2 = add i32 %s1, %v2
  %s3 = add i32 %s2, %v3
  store i32 %s3, ptr addrspace(1) %q0, align 4
  ret i32 0
}
