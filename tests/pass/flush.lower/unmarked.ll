; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: flush_denormals
; What is not marked is not flushed.
; CHECK: store float %l, ptr %p
define void @k(ptr %p, float %x) {
  %l = load float, ptr %p
  store float %l, ptr %p
  %m = fmul float %x, 1.0
  %t = fcmp olt float %m, 2.0
  store i1 %t, ptr %p
  ret void
}
