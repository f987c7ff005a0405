; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; Behind the barrier, where the gangs work on the tile, the next one is asked for, a row further.
; CHECK: remark prefetch: k, block loop: the next iteration's line is prefetched behind the barrier
; CHECK: call void @heddle.barrier(i32 0, i32 0)
; CHECK: [[NEXT:%[0-9]+]] = getelementptr i8, ptr addrspace(1) {{%[0-9]+}}, i64 4096
; CHECK: call void @heddle.prefetch({{.*}}[[NEXT]]
declare i32 @heddle.tid.x()
declare void @heddle.barrier(i32, i32)
declare ptr addrspace(3) @heddle.shared()
define void @k(ptr addrspace(1) %p, i64 %n) {
entry:
  %s = call ptr addrspace(3) @heddle.shared()
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = shl i64 %i, 12
  %q = getelementptr i8, ptr addrspace(1) %p, i64 %at
  %v = load float, ptr addrspace(1) %q
  store float %v, ptr addrspace(3) %s
  call void @heddle.barrier(i32 0, i32 0)
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}
