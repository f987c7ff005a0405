; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: block=64 quick=1
; CHECK: size usual
define void @k.full.0(i32 %x0) {
  ret void
}
