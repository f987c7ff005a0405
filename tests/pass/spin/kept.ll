; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; What was polled reaches the test through an array of the thread's.
; CHECK: spin:
; CHECK-NEXT: call void @heddle.yield()
; CHECK-NEXT: br label %loop
declare ptr addrspace(5) @heddle.frame.lanes(i64)
define void @k(ptr addrspace(1) %p, i64 %n) {
entry:
  %array = call ptr addrspace(5) @heddle.frame.lanes(i64 0)
  br label %loop
loop:
  %v = load atomic i32, ptr addrspace(1) %p monotonic, align 4
  store i32 %v, ptr addrspace(5) %array, align 4
  %at = getelementptr i32, ptr addrspace(5) %array, i64 %n
  %kept = load i32, ptr addrspace(5) %at, align 4
  %wait = icmp eq i32 %kept, 0
  br i1 %wait, label %loop, label %out
out:
  ret void
}
