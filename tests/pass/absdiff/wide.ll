; SPDX-License-Identifier: Apache-2.0
; expect: fires
; cpu: haswell
; AVX2 has no maximum of unsigned 64 bits.
; CHECK: [[M:%[0-9]+]] = sext <4 x i1> {{%[0-9]+}} to <4 x i64>
; CHECK: xor <4 x i64> {{%[0-9]+}}, [[M]]
; CHECK-NOT: select
define <4 x i64> @k.full.0(<4 x i64> %a, <4 x i64> %b) {
  %c = icmp ult <4 x i64> %a, %b
  %x = sub <4 x i64> %b, %a
  %y = sub <4 x i64> %a, %b
  %r = select <4 x i1> %c, <4 x i64> %x, <4 x i64> %y
  ret <4 x i64> %r
}
