! SPDX-License-Identifier: GPL-2.0-or-later
! m-nmemvir1.f - one unit adds to every element of the large array eight times, in the order of storage. This
! measures streaming reads and writes of memory. The array is in memory before the clock starts, so no page is
! created or swapped during a unit unless memory is short. m-nmemvir1.c is the same in C.
module large_array
  use, intrinsic :: iso_c_binding, only: c_int64_t, c_double
  use bench, only: bench_wrong, bench_fail, bench_figure
  implicit none
  integer, parameter :: times = 8
  ! start is not zero, because a library may hand out zeros without touching the memory.
  integer(c_int64_t), parameter :: start = 1
  integer(c_int64_t) :: elements, array_kb, units = 0
  ! This is volatile so that the compiler cannot merge two walks.
  real(c_double), volatile :: step = 1
  real(c_double), allocatable :: a(:)

contains

  subroutine begin(kilobytes) bind(c)
    integer(c_int64_t), value :: kilobytes
    integer :: status

    elements = kilobytes * 128
    allocate (a(elements), stat=status)
    if (status /= 0) call bench_fail('cannot get memory for the large array')
    a = start
    array_kb = kilobytes
  end subroutine begin

  subroutine unit() bind(c)
    integer(c_int64_t) :: i
    integer :: n
    real(c_double) :: added

    do n = 1, times
      added = step
      do i = 1, elements
        a(i) = a(i) + added
      end do
    end do
    units = units + 1
  end subroutine unit

  ! Each element must have been increased by every walk.
  subroutine check() bind(c)
    if (any(nint(a, c_int64_t) /= start + times * units)) &
      call bench_wrong('an element of the array has been missed')
    call bench_figure('array_kb', array_kb)
  end subroutine check

end module large_array
