; SPDX-License-Identifier: Apache-2.0
; expect: declines
; An if-then has the form that the vectoriser takes.
; CHECK: unstructured 0
define i32 @k.region.0(i1 %c) {
entry:
  br i1 %c, label %a, label %out
a:
  br label %out
out:
  ret i32 0
}
