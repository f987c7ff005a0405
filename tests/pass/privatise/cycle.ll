; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: block=64
; A cycle with two entries is no loop, but it comes to another record each time, too.
; CHECK: remark privatise: k, block first: goes to memory: what follows may look at it
; CHECK: atomicrmw add
; CHECK-NOT: !heddle
declare ptr addrspace(4) @heddle.args()
define void @k() {
entry:
  %args = call ptr addrspace(4) @heddle.args()
  %p = load i64, ptr addrspace(4) %args, align 8, !invariant.load !0
  %to = getelementptr i8, ptr addrspace(4) %args, i64 8
  %n = load i32, ptr addrspace(4) %to, align 4, !invariant.load !0
  %enter = icmp eq i32 %n, 7
  br i1 %enter, label %second, label %first
first:
  %k = phi i64 [ %p, %entry ], [ %next, %second ]
  %h = phi i32 [ 0, %entry ], [ %j, %second ]
  %record = inttoptr i64 %k to ptr addrspace(1)
  %sum = getelementptr i8, ptr addrspace(1) %record, i64 8
  %old = atomicrmw add ptr addrspace(1) %sum, i32 5 monotonic
  %most = atomicrmw max ptr addrspace(1) %record, i32 10 monotonic
  br label %second
second:
  %i = phi i32 [ 0, %entry ], [ %h, %first ]
  %l = phi i64 [ %p, %entry ], [ %k, %first ]
  %j = add i32 %i, 1
  %next = add i64 %l, -8
  %more = icmp ult i32 %j, %n
  br i1 %more, label %first, label %out
out:
  ret void
}
!0 = !{}
