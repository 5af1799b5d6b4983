; The C function that CPython calls with the objects of a call of compiled code. What stands behind a
; dollar sign is filled in by entries.py: its numbers, and a pointer for each thing of Python's that is
; used here, which are functions of its C API, objects, and `calls`, where calls in progress are noted.

$given

%object = type { i64, ptr } ; references, type
%tuple = type { i64, ptr, i64, [0 x ptr] } ; references, type, length, items
%array = type { i64, ptr, ptr, i32, ptr, ptr, ptr, ptr, i32 }
; references, type, data, axes, lengths, strides, base, dtype, flags

%plan = type { ptr, ptr, ptr, i64, i64, i64, i64, [0 x %step] }
; the entry, the slower callable, what raises a failure; how many arguments, steps and results there
; are, whether these make a tuple; after the steps the kinds of the results
%step = type { i64, i64, ptr, i64 }
; what kind of object is expected, the first word that it fills, its dtype or class, its axes and
; flags or its length

define ptr @call(ptr %self, ptr %args, i64 %count) nounwind {
  %objects = alloca [$MOST x ptr]
  %words = alloca [$MOST x i64]
  %out = alloca [$MOST x i64]
  %overflow = alloca i32
  %argument = alloca ptr
  %self.first = getelementptr %tuple, ptr %self, i32 0, i32 3, i32 0
  %table = load ptr, ptr %self.first
  %table.data = getelementptr %array, ptr %table, i32 0, i32 2
  %plan = load ptr, ptr %table.data
  %entry = load ptr, ptr %plan
  %arguments.at = getelementptr %plan, ptr %plan, i32 0, i32 3
  %arguments = load i64, ptr %arguments.at
  %steps.at = getelementptr %plan, ptr %plan, i32 0, i32 4
  %steps = load i64, ptr %steps.at
  %enough = icmp eq i64 %count, %arguments
  br i1 %enough, label %copy, label %slowly

; The arguments are the first of the objects; the items of tuples come after them.

copy:
  %c = phi i64 [ 0, %0 ], [ %c.next, %copy.one ]
  %c.more = icmp ult i64 %c, %count
  br i1 %c.more, label %copy.one, label %next
copy.one:
  %c.from = getelementptr ptr, ptr %args, i64 %c
  %c.to = getelementptr ptr, ptr %objects, i64 %c
  %c.object = load ptr, ptr %c.from
  store ptr %c.object, ptr %c.to
  %c.next = add i64 %c, 1
  br label %copy

; Step i takes object i apart, into words.

next:
  %i = phi i64 [ 0, %copy ], [ %i.next, %done ]
  %known = phi i64 [ %count, %copy ], [ %known.next, %done ]
  %i.more = icmp ult i64 %i, %steps
  br i1 %i.more, label %step, label %begin
step:
  %given.at = getelementptr ptr, ptr %objects, i64 %i
  %given = load ptr, ptr %given.at
  %type.at = getelementptr %object, ptr %given, i32 0, i32 1
  %type = load ptr, ptr %type.at
  %kind.at = getelementptr %plan, ptr %plan, i32 0, i32 7, i64 %i
  %kind = load i64, ptr %kind.at
  %to.at = getelementptr %step, ptr %kind.at, i32 0, i32 1
  %to = load i64, ptr %to.at
  %word = getelementptr i64, ptr %words, i64 %to
  %what.at = getelementptr %step, ptr %kind.at, i32 0, i32 2
  %what = load ptr, ptr %what.at
  %detail.at = getelementptr %step, ptr %kind.at, i32 0, i32 3
  %detail = load i64, ptr %detail.at
  switch i64 %kind, label %slowly [
    i64 $ARRAY, label %array
    i64 $TUPLE, label %tuple
    i64 $BOOL, label %bool
    i64 $FLOAT, label %float
    i64 $INTEGER, label %int
  ]

array: ; its data, then its lengths
  %ndarray = load ptr, ptr @ndarray
  %is.array = icmp eq ptr %type, %ndarray
  br i1 %is.array, label %array.kind, label %slowly
array.kind:
  %dtype.at = getelementptr %array, ptr %given, i32 0, i32 7
  %dtype = load ptr, ptr %dtype.at
  %is.dtype = icmp eq ptr %dtype, %what
  %axes.at = getelementptr %array, ptr %given, i32 0, i32 3
  %axes = load i32, ptr %axes.at
  %detail.low = trunc i64 %detail to i32
  %axes.asked = and i32 %detail.low, 255
  %is.axes = icmp eq i32 %axes, %axes.asked
  %flags.at = getelementptr %array, ptr %given, i32 0, i32 8
  %flags = load i32, ptr %flags.at
  %flags.asked = lshr i32 %detail.low, 8
  %flags.held = and i32 %flags, %flags.asked
  %is.flags = icmp eq i32 %flags.held, %flags.asked
  %is.both = and i1 %is.axes, %is.flags
  %is.kind = and i1 %is.dtype, %is.both
  br i1 %is.kind, label %array.data, label %slowly
array.data:
  %data.at = getelementptr %array, ptr %given, i32 0, i32 2
  %data = load ptr, ptr %data.at
  store ptr %data, ptr %word
  %lengths.at = getelementptr %array, ptr %given, i32 0, i32 4
  %lengths = load ptr, ptr %lengths.at
  br label %axis
axis:
  %a = phi i32 [ 0, %array.data ], [ %a.next, %axis.one ]
  %a.more = icmp ult i32 %a, %axes
  br i1 %a.more, label %axis.one, label %done
axis.one:
  %a.from = getelementptr i64, ptr %lengths, i32 %a
  %a.next = add i32 %a, 1
  %a.to = getelementptr i64, ptr %word, i32 %a.next
  %a.length = load i64, ptr %a.from
  store i64 %a.length, ptr %a.to
  br label %axis

tuple:
  %is.class = icmp eq ptr %type, %what
  br i1 %is.class, label %tuple.length, label %slowly
tuple.length:
  %length.at = getelementptr %tuple, ptr %given, i32 0, i32 2
  %length = load i64, ptr %length.at
  %is.length = icmp eq i64 %length, %detail
  br i1 %is.length, label %item, label %slowly
item:
  %t = phi i64 [ 0, %tuple.length ], [ %t.next, %item.one ]
  %filled = phi i64 [ %known, %tuple.length ], [ %filled.next, %item.one ]
  %t.more = icmp ult i64 %t, %length
  br i1 %t.more, label %item.one, label %done
item.one:
  %t.from = getelementptr %tuple, ptr %given, i32 0, i32 3, i64 %t
  %t.to = getelementptr ptr, ptr %objects, i64 %filled
  %t.object = load ptr, ptr %t.from
  store ptr %t.object, ptr %t.to
  %t.next = add i64 %t, 1
  %filled.next = add i64 %filled, 1
  br label %item

bool:
  %true = load ptr, ptr @True
  %is.true = icmp eq ptr %given, %true
  %false = load ptr, ptr @False
  %is.false = icmp eq ptr %given, %false
  %is.bool = or i1 %is.true, %is.false
  %bit = zext i1 %is.true to i64
  store i64 %bit, ptr %word
  br i1 %is.bool, label %done, label %slowly

float:
  %float.type = load ptr, ptr @float
  %is.float = icmp eq ptr %type, %float.type
  br i1 %is.float, label %float.value, label %slowly
float.value:
  %as.double = load ptr, ptr @PyFloat_AsDouble
  %double = call double %as.double(ptr %given)
  store double %double, ptr %word
  br label %done

int:
  %int.type = load ptr, ptr @int
  %is.int = icmp eq ptr %type, %int.type
  br i1 %is.int, label %int.value, label %slowly
int.value:
  %as.integer = load ptr, ptr @PyLong_AsLongLongAndOverflow
  %integer = call i64 %as.integer(ptr %given, ptr %overflow)
  store i64 %integer, ptr %word
  %over = load i32, ptr %overflow
  %fits = icmp eq i32 %over, 0
  br i1 %fits, label %done, label %slowly

done:
  %known.next = phi i64 [ %known, %axis ], [ %filled, %item ], [ %known, %bool ],
                        [ %known, %float.value ], [ %known, %int.value ]
  %i.next = add i64 %i, 1
  br label %next

; The call is noted in the first free place from its number on, or in the last that is tried; then it
; is made without the global lock.

begin:
  %calls = load ptr, ptr @calls
  %begun = load i64, ptr %calls
  %number = add i64 %begun, 1
  store i64 %number, ptr %calls
  %start = urem i64 %number, $PLACES
  br label %place
place:
  %p = phi i64 [ %start, %begin ], [ %p.next, %place.taken ]
  %p.pair = add i64 %p, 1
  %noted = getelementptr [2 x i64], ptr %calls, i64 %p.pair
  %holder = load i64, ptr %noted
  %is.free = icmp eq i64 %holder, 0
  br i1 %is.free, label %placed, label %place.taken
place.taken:
  %p.next = urem i64 %p.pair, $PLACES
  %is.last = icmp eq i64 %p.next, %start
  br i1 %is.last, label %placed, label %place
placed:
  %ident = load ptr, ptr @PyThread_get_thread_ident
  %thread = call i64 %ident()
  store i64 %number, ptr %noted
  %thread.at = getelementptr i64, ptr %noted, i32 1
  store i64 %thread, ptr %thread.at
  %save = load ptr, ptr @PyEval_SaveThread
  %state = call ptr %save()
  %status = call i64 %entry(ptr %words, ptr %out)
  %restore = load ptr, ptr @PyEval_RestoreThread
  call void %restore(ptr %state)
  store i64 0, ptr %noted
  %good = icmp eq i64 %status, 0
  br i1 %good, label %right, label %wrong

wrong:
  %status.boxed = call ptr @boxed(i64 $INT_RESULT, i64 %status)
  store ptr %status.boxed, ptr %argument
  %fail.at = getelementptr %plan, ptr %plan, i32 0, i32 2
  %fail = load ptr, ptr %fail.at
  %raise = load ptr, ptr @PyObject_Vectorcall
  %raised = call ptr %raise(ptr %fail, ptr %argument, i64 1, ptr null)
  %release = load ptr, ptr @Py_DecRef
  call void %release(ptr %status.boxed)
  ret ptr %raised

right:
  %results.at = getelementptr %plan, ptr %plan, i32 0, i32 5
  %results = load i64, ptr %results.at
  %several.at = getelementptr %plan, ptr %plan, i32 0, i32 6
  %several = load i64, ptr %several.at
  %kinds = getelementptr %plan, ptr %plan, i32 0, i32 7, i64 %steps
  %kind.first = load i64, ptr %kinds
  %out.first = load i64, ptr %out
  %is.tuple = icmp ne i64 %several, 0
  br i1 %is.tuple, label %several.new, label %at.most.one
at.most.one:
  %is.one = icmp eq i64 %results, 1
  br i1 %is.one, label %one, label %nothing
one:
  %value = call ptr @boxed(i64 %kind.first, i64 %out.first)
  ret ptr %value
nothing:
  %none = load ptr, ptr @None
  %hold = load ptr, ptr @Py_IncRef
  call void %hold(ptr %none)
  ret ptr %none
several.new:
  %new = load ptr, ptr @PyTuple_New
  %made = call ptr %new(i64 %results)
  %set = load ptr, ptr @PyTuple_SetItem
  br label %result
result:
  %r = phi i64 [ 0, %several.new ], [ %r.next, %result.one ]
  %r.more = icmp ult i64 %r, %results
  br i1 %r.more, label %result.one, label %finished
result.one:
  %r.kind.at = getelementptr i64, ptr %kinds, i64 %r
  %r.kind = load i64, ptr %r.kind.at
  %r.at = getelementptr i64, ptr %out, i64 %r
  %r.bits = load i64, ptr %r.at
  %r.boxed = call ptr @boxed(i64 %r.kind, i64 %r.bits)
  %r.set = call i32 %set(ptr %made, i64 %r, ptr %r.boxed)
  %r.next = add i64 %r, 1
  br label %result
finished:
  ret ptr %made

slowly: ; these are objects of another kind
  %slow.at = getelementptr %plan, ptr %plan, i32 0, i32 1
  %slow = load ptr, ptr %slow.at
  %vectorcall = load ptr, ptr @PyObject_Vectorcall
  %answer = call ptr %vectorcall(ptr %slow, ptr %args, i64 %count, ptr null)
  ret ptr %answer
}

; A new object of 64 bits that are an int, an unsigned one, a float or a bool.

define internal ptr @boxed(i64 %kind, i64 %bits) nounwind {
  switch i64 %kind, label %int [
    i64 $UINT_RESULT, label %uint
    i64 $FLOAT_RESULT, label %float
    i64 $BOOL_RESULT, label %bool
  ]
int:
  %from.int = load ptr, ptr @PyLong_FromLongLong
  %an.int = call ptr %from.int(i64 %bits)
  ret ptr %an.int
uint:
  %from.uint = load ptr, ptr @PyLong_FromUnsignedLongLong
  %a.uint = call ptr %from.uint(i64 %bits)
  ret ptr %a.uint
float:
  %double = bitcast i64 %bits to double
  %from.double = load ptr, ptr @PyFloat_FromDouble
  %a.float = call ptr %from.double(double %double)
  ret ptr %a.float
bool:
  %from.bool = load ptr, ptr @PyBool_FromLong
  %a.bool = call ptr %from.bool(i64 %bits)
  ret ptr %a.bool
}
