; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; after: shapes
; x86: x86-64
; Rows that may overlap in part are tested first.
; CHECK: define {{.*}}@k.full.0(
; CHECK: load <2 x i32>, ptr
; CHECK: br i1
; CHECK: store <2 x i32> {{.*}}, align 4
declare i32 @heddle.tid.x()
declare ptr addrspace(3) @heddle.shared()
define i32 @k.region.0() {
  %s = call ptr addrspace(3) @heddle.shared()
  %x = call i32 @heddle.tid.x()
  %e = zext i32 %x to i64
  %o = shl i64 %e, 2
  %q = inttoptr i64 %o to ptr addrspace(1)
  %i = load i32, ptr addrspace(1) %q, align 4
  %w = sext i32 %i to i64
  %b = shl i64 %w, 3
  %p0 = inttoptr i64 %b to ptr addrspace(1)
  %v0 = load i32, ptr addrspace(1) %p0, align 4
  %p1 = getelementptr i8, ptr addrspace(1) %p0, i64 4
  %v1 = load i32, ptr addrspace(1) %p1, align 4
  %t = shl i32 %i, 3
  %r0 = getelementptr i8, ptr addrspace(3) %s, i32 %t
  store i32 %v1, ptr addrspace(3) %r0, align 4
  %r1 = getelementptr i8, ptr addrspace(3) %r0, i64 4
  store i32 %v0, ptr addrspace(3) %r1, align 4
  ret i32 0
}
