; SPDX-License-Identifier: Apache-2.0
; expect: fails
; A branch into the middle of another one's arm has not; the kernel is compiled again.
; CHECK: unstructured 1
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
