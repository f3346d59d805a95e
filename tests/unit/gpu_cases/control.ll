define internal i32 @fib(i32 %n) {
  %small = icmp slt i32 %n, 2
  br i1 %small, label %leaf, label %node
leaf:
  ret i32 %n
node:
  %a = sub i32 %n, 1
  %b = sub i32 %n, 2
  %x = call i32 @fib(i32 %a)
  %y = call i32 @fib(i32 %b)
  %r = add i32 %x, %y
  ret i32 %r
}
define internal i32 @twice(i32 %n) noinline {
  %r = shl i32 %n, 1
  ret i32 %r
}
define ptx_kernel void @control(ptr %p, i32 %n, i1 %which) {
entry:
  switch i32 %n, label %other [ i32 0, label %zero
                                i32 -5, label %five
                                i32 7, label %five ]
zero:
  br label %join
five:
  %f = call i32 @fib(i32 %n)
  br label %join
other:
  %bad = icmp eq i32 %n, 99
  br i1 %bad, label %never, label %join
never:
  unreachable
join:
  %v = phi i32 [ 1, %zero ], [ %f, %five ], [ %n, %other ]
  %target = select i1 %which, ptr @fib, ptr @twice
  %w = call i32 %target(i32 %v)
  %pointer = select i1 %which, ptr %p, ptr null
  store i32 %w, ptr %pointer
  ret void
}
