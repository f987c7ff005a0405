; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; How often the inner loop ran is counted in memory.
; CHECK: spin:
; CHECK-NEXT: call void @heddle.yield()
; CHECK: spin1:
; CHECK-NEXT: call void @heddle.yield()
define void @k(ptr addrspace(1) %p, ptr addrspace(1) %q) {
entry:
  br label %outer
outer:
  store i32 0, ptr addrspace(1) %q, align 4
  br label %inner
inner:
  %n = load i32, ptr addrspace(1) %q, align 4
  %m = add i32 %n, 1
  store i32 %m, ptr addrspace(1) %q, align 4
  %v = load volatile i32, ptr addrspace(1) %p, align 4
  %set = icmp eq i32 %v, 1
  br i1 %set, label %inner, label %end
end:
  %c = load i32, ptr addrspace(1) %q, align 4
  %all = icmp ugt i32 %c, 10
  br i1 %all, label %out, label %outer
out:
  ret void
}
