; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; A cycle with two entries, and ordinary loads behind fences.
; CHECK: spin:
; CHECK-NEXT: call void @heddle.yield()
define void @k(ptr addrspace(1) %p, i1 %enter) {
entry:
  br i1 %enter, label %second, label %first
first:
  fence seq_cst
  %v = load i8, ptr addrspace(1) %p, align 1
  %set = icmp ne i8 %v, 0
  br i1 %set, label %out, label %second
second:
  fence seq_cst
  %w = load i8, ptr addrspace(1) %p, align 1
  %more = icmp eq i8 %w, 0
  br i1 %more, label %first, label %out
out:
  ret void
}
