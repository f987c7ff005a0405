; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64 compat=1 warp_collectives width=8
; All lanes store, and the first of each warp tells that they have: a race, but on a GPU they have.
; CHECK: store i32 %t
; CHECK: call void @heddle.yield.block()
; CHECK: br i1
declare i32 @heddle.tid.x()
declare void @heddle.warp.sync(i32)
define void @k(ptr addrspace(1) %out, ptr addrspace(1) %done) {
entry:
  %t = call i32 @heddle.tid.x()
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %t, ptr addrspace(1) %p

  %lane = and i32 %t, 31
  %first = icmp eq i32 %lane, 0
  br i1 %first, label %tell, label %end
tell:
  %n = atomicrmw add ptr addrspace(1) %done, i32 32 monotonic
  br label %end
end:
  ret void
}
