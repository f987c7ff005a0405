; SPDX-License-Identifier: Apache-2.0
; expect: partly
; after: shapes vectorise simplify
; With a block of any shape nobody knows how many gangs there are: the marks go, and the loop runs on.
; CHECK: region 0: start uniform{{$}}
; CHECK: define
; CHECK-NOT: call void @heddle.interleave.point
declare i32 @heddle.tid.x()
declare ptr addrspace(4) @heddle.args()
declare void @heddle.interleave.point(i1)
define i32 @k.region.0() {
entry:
  %args = call ptr addrspace(4) @heddle.args()
  %base = load i64, ptr addrspace(4) %args, align 8, !invariant.load !0
  %x = call i32 @heddle.tid.x()
  %col = shl i32 %x, 2
  %off = zext i32 %col to i64
  %from = add i64 %base, %off
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %up, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  call void @heddle.interleave.point(i1 true)
  %far = shl i64 %i, 20
  %at = add i64 %from, %far
  %q = inttoptr i64 %at to ptr addrspace(1)
  %v = load float, ptr addrspace(1) %q, align 4
  %more = fadd float %sum, %v
  %up = add i64 %i, 1
  %go = icmp slt i64 %up, 100
  br i1 %go, label %loop, label %out
out:
  %last = phi float [ %more, %loop ]
  %to = inttoptr i64 %from to ptr addrspace(1)
  store float %last, ptr addrspace(1) %to, align 4
  ret i32 0
}
!0 = !{}
