; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64 compat=1
; All threads read a result right behind a barrier, and one of each warp uses its location again.
; CHECK: remark yields.results: k: yields at 1 points, since it seems to count on the order of warps
; CHECK: %mean = load float
; CHECK-NEXT: call void @heddle.yield.block()
declare i32 @heddle.tid.x()
declare void @heddle.barrier(i32, i32)
declare ptr addrspace(3) @heddle.shared()
declare i32 @heddle.laneid()
declare i32 @heddle.warpid()
define void @k(ptr addrspace(1) %out) {
entry:
  %s = call ptr addrspace(3) @heddle.shared()
  %lane = call i32 @heddle.laneid()
  %warp = call i32 @heddle.warpid()
  call void @heddle.barrier(i32 0, i32 0)
  %mean = load float, ptr addrspace(3) %s
  
  %first = icmp eq i32 %lane, 0
  br i1 %first, label %some, label %rest
some:
  %o = shl i32 %warp, 2
  %p = getelementptr i8, ptr addrspace(3) %s, i32 %o
  store float 1.0, ptr addrspace(3) %p
  br label %rest
rest:
  call void @heddle.barrier(i32 0, i32 0)
  store float %mean, ptr addrspace(1) %out
  ret void
}
