; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: width=8 block=64
; after: shapes
; A loop that lanes leave one by one, and all that are left when a count runs out: that test leads out of the loop, and not to a mask of
; no lane that is merged with the others. Each of the two copies of the body has such a way.
; CHECK: loop:
; CHECK: br i1 {{.*}}label %then, label %leave
; CHECK: br i1 {{.*}}label %then1, label %leave2
; CHECK: leave:
; CHECK: br label %done
; CHECK: leave2:
; CHECK: br label %done
; CHECK-NOT: join
define i32 @k.region.0() {
entry:
  %tid = call i32 @heddle.tid.x()
  %start = uitofp i32 %tid to float
  br label %head
head:
  %n = phi i32 [ 0, %entry ], [ %up, %flow ]
  %x = phi float [ %start, %entry ], [ %next, %flow ]
  %up = add i32 %n, 1
  %more = icmp ne i32 %up, 100
  br i1 %more, label %body, label %flow
body:
  %y = fmul float %x, 2.0
  %big = fcmp ogt float %y, 1000.0
  br label %flow
flow:
  %next = phi float [ %y, %body ], [ poison, %head ]
  %count = phi i32 [ %up, %body ], [ 100, %head ]
  %leaves = phi i1 [ %big, %body ], [ true, %head ]
  br i1 %leaves, label %out, label %head
out:
  %result = phi i32 [ %count, %flow ]
  %wide = zext i32 %tid to i64
  %bytes = shl i64 %wide, 2
  %p = inttoptr i64 %bytes to ptr addrspace(1)
  store i32 %result, ptr addrspace(1) %p, align 4
  ret i32 0
}
declare i32 @heddle.tid.x()
