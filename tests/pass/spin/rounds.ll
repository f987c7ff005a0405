; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; Both loops wait: the inner one goes on while the flag is set, the outer one until that was so ten times in a row.
; CHECK: spin:
; CHECK-NEXT: call void @heddle.yield()
; CHECK: spin1:
; CHECK-NEXT: call void @heddle.yield()
define void @k(ptr addrspace(1) %p, ptr addrspace(1) %q) {
entry:
  br label %outer
outer:
  store i32 1, ptr addrspace(1) %q, align 4
  br label %inner
inner:
  %n = phi i32 [ 0, %outer ], [ %m, %inner ]
  %m = add i32 %n, 1
  %v = load volatile i32, ptr addrspace(1) %p, align 4
  %set = icmp eq i32 %v, 1
  %few = icmp ult i32 %n, 9
  %again = and i1 %set, %few
  br i1 %again, label %inner, label %end
end:
  %all = icmp eq i32 %m, 10
  br i1 %all, label %out, label %outer
out:
  ret void
}
