; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: block=64
; Without a barrier loads are under way anyway.
; CHECK: remark prefetch: k, block loop: nothing: no barrier in the loop
; CHECK: %v = load float, ptr addrspace(1) %q
; CHECK-NOT: heddle.prefetch
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
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}
