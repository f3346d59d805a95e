; PTX: .maxntid 128
define void @annotations(ptr %p) {
  store i32 1, ptr %p
  ret void
}
!nvvm.annotations = !{!0, !1}
!0 = !{ptr @annotations, !"kernel", i32 1}
!1 = !{ptr @annotations, !"maxntidx", i32 128}
