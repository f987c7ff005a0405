; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; The same loop with nothing before it: what it takes and puts back is as it was written, and it gives way behind both.
; CHECK: spin:
; CHECK-NEXT: call void @heddle.yield()
; CHECK: loop:
; CHECK-NEXT: %back = atomicrmw add
; CHECK-NEXT: %again = atomicrmw sub
define void @k(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %back = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic, align 4
  %again = atomicrmw sub ptr addrspace(1) %p, i32 1 monotonic, align 4
  %gets = icmp sgt i32 %again, 0
  br i1 %gets, label %out, label %loop
out:
  ret void
}
