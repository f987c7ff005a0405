; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; The barrier may be that of a loop inside: the load of the next row waits behind it all the same.
; CHECK: remark prefetch: k, block outer: the next iteration's line is prefetched before the load
; CHECK: outer:
; CHECK: call void @heddle.prefetch
; CHECK: %v = load float, ptr addrspace(1) %q
declare i32 @heddle.tid.x()
declare void @heddle.barrier(i32, i32)
declare ptr addrspace(3) @heddle.shared()
define void @k(ptr addrspace(1) %p, i64 %n) {
entry:
  %s = call ptr addrspace(3) @heddle.shared()
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %at = shl i64 %i, 12
  %q = getelementptr i8, ptr addrspace(1) %p, i64 %at
  %v = load float, ptr addrspace(1) %q
  store float %v, ptr addrspace(3) %s
  br label %inner
inner:
  %k = phi i64 [ 0, %outer ], [ %k1, %inner ]
  call void @heddle.barrier(i32 0, i32 0)
  %k1 = add i64 %k, 1
  %again = icmp ult i64 %k1, %n
  br i1 %again, label %inner, label %latch
latch:
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %outer, label %out
out:
  ret void
}
