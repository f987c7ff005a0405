; SPDX-License-Identifier: Apache-2.0
; expect: fails
; set: dispatch
; After that there is no other way: it is a fault of ours, and said so.
; CHECK: failed {{.*}}control flow is not structured
define i32 @k.region.0(i1 %c, i1 %d) {
entry:
  br i1 %c, label %a, label %b
a:
  br i1 %d, label %b, label %out
b:
  br label %out
out:
  ret i32 0
}
