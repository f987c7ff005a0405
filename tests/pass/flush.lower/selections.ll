; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: flush_denormals
; A selection by a comparison of what may be subnormal is one of integers, not one of results of arithmetic, nor one that arithmetic takes,
; nor one that never chooses a zero.
; CHECK: select <4 x i1> %less, <4 x i32>
; CHECK: select <4 x i1> %both, <4 x i32>
; CHECK: select <4 x i1> %above, <4 x i32>
; CHECK: %s = select <4 x i1> %sums, <4 x float> %a, <4 x float> %b
; CHECK: %t = select <4 x i1> %less, <4 x float> %y, <4 x float> %x
; CHECK: %positive = select <4 x i1> %more, <4 x float> %x, <4 x float> zeroinitializer
; CHECK: %z = select <4 x i1> %c, <4 x float> %x, <4 x float> %y
define void @k(ptr %p, <4 x float> %x, <4 x float> %y, <4 x i1> %c) {
  %less = fcmp olt <4 x float> %x, %y
  %r = select <4 x i1> %less, <4 x float> %x, <4 x float> %y
  store <4 x float> %r, ptr %p
  %both = and <4 x i1> %less, %c
  %q = select <4 x i1> %both, <4 x float> %x, <4 x float> %y
  store <4 x float> %q, ptr %p
  %above = fcmp ogt <4 x float> %x, splat (float -1.0)
  %o = select <4 x i1> %above, <4 x float> %x, <4 x float> splat (float -1.0)
  store <4 x float> %o, ptr %p
  %a = fadd <4 x float> %x, %y
  %b = fmul <4 x float> %x, %y
  %sums = fcmp olt <4 x float> %a, %b
  %s = select <4 x i1> %sums, <4 x float> %a, <4 x float> %b
  store <4 x float> %s, ptr %p
  %t = select <4 x i1> %less, <4 x float> %y, <4 x float> %x
  %u = fadd <4 x float> %t, %x
  store <4 x float> %u, ptr %p
  %more = fcmp ogt <4 x float> %x, zeroinitializer
  %positive = select <4 x i1> %more, <4 x float> %x, <4 x float> zeroinitializer
  store <4 x float> %positive, ptr %p
  %z = select <4 x i1> %c, <4 x float> %x, <4 x float> %y
  store <4 x float> %z, ptr %p
  ret void
}
