; SPDX-License-Identifier: Apache-2.0
; expect: partly
; set: block=64
; after: shapes
; cpu: haswell
; A sum in memory and rows of each thread's own: a test of how far the rows go tells that no store meets them, and four elements of a row
; are read at once. The other form stays in order.
; CHECK: define {{.*}}@k.full.0(
; CHECK: udiv i64
; CHECK: disjoint:
; CHECK: inorder:
; CHECK: load <4 x float>
; CHECK-NOT: define i32 @k.region.0
declare i32 @heddle.tid.x()
declare i32 @heddle.ctaid.x()
declare ptr addrspace(4) @heddle.args()
define i32 @k.region.0() {
entry:
  %a = call ptr addrspace(4) @heddle.args()
  %n = load i32, ptr addrspace(4) %a, align 4, !invariant.load !0
  %x = call i32 @heddle.tid.x()
  %o = zext i32 %x to i64
  %b = shl i64 %o, 2
  %out = add i64 %b, 65536
  %q = inttoptr i64 %out to ptr addrspace(1)
  %row = shl i64 %o, 12
  %from = add i64 %row, 1048576
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k4, %loop ]
  %p = phi i64 [ %from, %entry ], [ %p4, %loop ]
  %s = phi float [ 0.0, %entry ], [ %s4, %loop ]
  %e0 = inttoptr i64 %p to ptr addrspace(1)
  %v0 = load float, ptr addrspace(1) %e0, align 4
  %s1 = fadd float %s, %v0
  store float %s1, ptr addrspace(1) %q, align 4
  %e1 = getelementptr i8, ptr addrspace(1) %e0, i64 4
  %v1 = load float, ptr addrspace(1) %e1, align 4
  %s2 = fadd float %s1, %v1
  store float %s2, ptr addrspace(1) %q, align 4
  %e2 = getelementptr i8, ptr addrspace(1) %e0, i64 8
  %v2 = load float, ptr addrspace(1) %e2, align 4
  %s3 = fadd float %s2, %v2
  store float %s3, ptr addrspace(1) %q, align 4
  %e3 = getelementptr i8, ptr addrspace(1) %e0, i64 12
  %v3 = load float, ptr addrspace(1) %e3, align 4
  %s4 = fadd float %s3, %v3
  store float %s4, ptr addrspace(1) %q, align 4
  %p4 = add i64 %p, 16
  %k4 = add i32 %k, 4
  %c = icmp slt i32 %k4, %n
  br i1 %c, label %loop, label %done
done:
  ret i32 0
}
!0 = !{}
