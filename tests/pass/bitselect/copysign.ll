; SPDX-License-Identifier: Apache-2.0
; expect: fires
; cpu: skylake-avx512
; The selection moves inside: no operand of it is what the mask leaves alone.
; CHECK: [[R:%[0-9]+]] = and <8 x i32> %x, {{.*2147483647.*}}
; CHECK: select <8 x i1> %c, <8 x i32> [[R]], <8 x i32> %b
; CHECK: or <8 x i32>
define <8 x i32> @k.full.0(<8 x i1> %c, <8 x i32> %x, <8 x i32> %b, <8 x i32> %other) {
  %s = and <8 x i32> %x, <i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648>
  %o = or <8 x i32> %s, %b
  %r = select <8 x i1> %c, <8 x i32> %x, <8 x i32> %o
  ret <8 x i32> %r
}
