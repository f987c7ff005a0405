; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; Thread 0 asks by an atomic that changes memory, and hands its answer on by another one.
; CHECK: spin:
; CHECK-NEXT: call void @heddle.yield()
declare i32 @heddle.tid.x()
declare ptr addrspace(3) @heddle.shared()
declare void @heddle.barrier(i32, i32)
define void @k(ptr addrspace(1) %p) {
entry:
  %seen = call ptr addrspace(3) @heddle.shared()
  %t = call i32 @heddle.tid.x()
  %first = icmp eq i32 %t, 0
  br label %loop
loop:
  br i1 %first, label %ask, label %join
ask:
  %v = atomicrmw or ptr addrspace(1) %p, i32 4 monotonic, align 4
  %o = atomicrmw xchg ptr addrspace(3) %seen, i32 %v monotonic, align 4
  br label %join
join:
  call void @heddle.barrier(i32 0, i32 0)
  %now = load i32, ptr addrspace(3) %seen, align 4
  call void @heddle.barrier(i32 0, i32 0)
  %all = icmp eq i32 %now, 255
  br i1 %all, label %out, label %loop
out:
  ret void
}
