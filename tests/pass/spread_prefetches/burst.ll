; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; 32 lines at once are more than a processor has under way: each of 16 iterations asks for two.
; CHECK: remark spread_prefetches: k, k.full.0, block loop: 32 prefetches before the loop are made by its 16 iterations
; CHECK: entry:
; CHECK-NOT: call void @llvm.prefetch
; CHECK: loop:
; CHECK: %iteration = phi i64
; CHECK: call void @llvm.prefetch
; CHECK: call void @llvm.prefetch
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
define i32 @k.full.0(ptr %launch, ptr %block, ptr %frame, i32 %first, ptr %now, ptr %next, ptr %raw) {
entry:
; repeat 32
  %p$i = getelementptr i8, ptr %frame, i64 $i000
  call void @llvm.prefetch.p0(ptr %p$i, i32 0, i32 3, i32 1)
; end
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %up, %loop ]
  store i32 %i, ptr %frame
  %up = add i32 %i, 1
  %more = icmp ult i32 %up, 16
  br i1 %more, label %loop, label %out
out:
  ret i32 0
}
