; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: free_width=8 block=64 compat=1
; The last steps of a reduction without a barrier: the threads of the warp count on lockstep.
; CHECK: width 32 lockstep 1
declare i32 @heddle.tid.x()
declare void @heddle.barrier(i32, i32)
declare ptr addrspace(3) @heddle.shared()
define void @k() {
entry:
  %s = call ptr addrspace(3) @heddle.shared()
  %t = call i32 @heddle.tid.x()
  %c = icmp ult i32 %t, 16
  br i1 %c, label %last, label %out
last:
  %o = shl i32 %t, 2
  %p = getelementptr i8, ptr addrspace(3) %s, i32 %o
  %q = getelementptr i8, ptr addrspace(3) %p, i32 64
  %a = load i32, ptr addrspace(3) %p
  %b = load i32, ptr addrspace(3) %q
  %sum = add i32 %a, %b
  store i32 %sum, ptr addrspace(3) %p
  %r = getelementptr i8, ptr addrspace(3) %p, i32 32
  %d = load i32, ptr addrspace(3) %r
  %more = add i32 %sum, %d
  store i32 %more, ptr addrspace(3) %p
  br label %out
out:
  ret void
}
