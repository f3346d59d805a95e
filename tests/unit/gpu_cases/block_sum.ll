; PTX: atom.global.add.f32
@partial = internal addrspace(3) global [256 x float] undef, align 16
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
define ptx_kernel void @block_sum(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = sext i32 %tid to i64
  %p = getelementptr float, ptr addrspace(1) %in, i64 %i
  %v = load float, ptr addrspace(1) %p, align 4
  %s = getelementptr inbounds [256 x float], ptr addrspace(3) @partial, i64 0, i64 %i
  store float %v, ptr addrspace(3) %s, align 4
  call void @llvm.nvvm.barrier0()
  br label %head
head:
  %half = phi i32 [ 128, %entry ], [ %next, %tail ]
  %more = icmp ugt i32 %half, 0
  br i1 %more, label %step, label %done
step:
  %active = icmp ult i32 %tid, %half
  br i1 %active, label %add, label %tail
add:
  %j32 = add nuw nsw i32 %tid, %half
  %j = zext i32 %j32 to i64
  %t = getelementptr inbounds [256 x float], ptr addrspace(3) @partial, i64 0, i64 %j
  %u = load float, ptr addrspace(3) %t, align 4
  %w = load float, ptr addrspace(3) %s, align 4
  %sum = fadd float %w, %u
  store float %sum, ptr addrspace(3) %s, align 4
  br label %tail
tail:
  call void @llvm.nvvm.barrier0()
  %next = lshr i32 %half, 1
  br label %head
done:
  %first = icmp eq i32 %tid, 0
  br i1 %first, label %write, label %exit
write:
  %r = load float, ptr addrspace(3) @partial, align 4
  %old = atomicrmw fadd ptr addrspace(1) %out, float %r seq_cst
  br label %exit
exit:
  ret void
}
