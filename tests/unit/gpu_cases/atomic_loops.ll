; PTX: atom
define ptx_kernel void @atomic_loops(ptr %p, ptr addrspace(1) %g, i32 %v, float %f, double %d,
        i1 %c) {
entry:
  br i1 %c, label %yes, label %no
yes:
  %a = atomicrmw nand ptr %p, i32 %v monotonic
  %b = atomicrmw fmax ptr addrspace(1) %g, float %f monotonic
  br label %join
no:
  %e = atomicrmw fmin ptr %p, double %d seq_cst
  %h = fptrunc double %e to float
  br label %join
join:
  %r = phi float [ %b, %yes ], [ %h, %no ]
  store float %r, ptr %p
  ret void
}
