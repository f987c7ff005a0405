; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: width=32 block=64
; A loop in which lanes wait for memory, each for its own, sends them apart until the barrier behind it. What they load there from one address
; they load together, and agree about: the branch on it divides nobody.
; CHECK: block out: whole
; CHECK: block some: together whole
; CHECK: block end: together whole
declare i32 @heddle.tid.x()
declare void @heddle.barrier(i32, i32)
declare void @heddle.yield()
define void @k(ptr addrspace(1) %p, ptr addrspace(3) %s) {
entry:
  %x = call i32 @heddle.tid.x()
  %a = getelementptr i32, ptr addrspace(1) %p, i32 %x
  br label %spin
spin:
  call void @heddle.yield()
  %v = load volatile i32, ptr addrspace(1) %a
  %c = icmp eq i32 %v, 0
  br i1 %c, label %spin, label %out
out:
  call void @heddle.barrier(i32 0, i32 0)
  %n = load i32, ptr addrspace(3) %s
  %d = icmp slt i32 %n, 3
  br i1 %d, label %some, label %end
some:
  call void @heddle.barrier(i32 0, i32 0)
  br label %end
end:
  call void @heddle.barrier(i32 0, i32 0)
  ret void
}
