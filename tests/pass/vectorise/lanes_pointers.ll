; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; after: shapes
; cpu: haswell
; Addresses that are made of nothing but pointers of the lanes: two of them leave a vector at once; doubles go by pairs.
; CHECK: define {{.*}}@k.full.0(
; CHECK: call { <2 x double>, <2 x double>, i64, i64 } asm "vmovq{{.*}}vmovhps ($3), $0, $0
; CHECK: call { i64, i64 } asm "vmovq{{.*}}vmovhps $2, ($1)
; CHECK: memory(read)
; CHECK: memory(write)
declare i32 @heddle.tid.x()
declare i32 @heddle.ctaid.x()
declare ptr addrspace(4) @heddle.args()
define i32 @k.region.0() {
  %x = call i32 @heddle.tid.x()
  %e = zext i32 %x to i64
  %o = shl i64 %e, 3
  %q = inttoptr i64 %o to ptr addrspace(1)
  %p = load i64, ptr addrspace(1) %q, align 8
  %r = inttoptr i64 %p to ptr addrspace(1)
  %v = load double, ptr addrspace(1) %r, align 8
  %p2 = xor i64 %p, 4096
  %s = inttoptr i64 %p2 to ptr addrspace(1)
  store double %v, ptr addrspace(1) %s, align 8
  ret i32 0
}
