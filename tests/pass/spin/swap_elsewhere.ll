; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; What a compare-and-swap found is expected at another place: the loop ends when both hold the same.
; CHECK: call void @heddle.yield()
define void @k(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %old = phi i32 [ 7, %entry ], [ %found, %loop ]
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %i
  %x = cmpxchg ptr addrspace(1) %at, i32 %old, i32 9 monotonic monotonic, align 4
  %found = extractvalue { i32, i1 } %x, 0
  %next = xor i64 %i, 1
  %same = icmp eq i32 %found, %old
  br i1 %same, label %out, label %loop
out:
  ret void
}
