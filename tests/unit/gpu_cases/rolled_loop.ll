; PTX: .pragma "nounroll"
define ptx_kernel void @rolled(ptr %p) {
entry:
  br label %turn
turn:
  %i = phi i64 [ 0, %entry ], [ %next, %turn ]
  %at = getelementptr i64, ptr %p, i64 %i
  store volatile i64 %i, ptr %at
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 8
  br i1 %more, label %turn, label %end, !llvm.loop !0
end:
  ret void
}
!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.mustprogress"}
!2 = !{!"llvm.loop.unroll.disable"}
