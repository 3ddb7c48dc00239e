! SPDX-License-Identifier: GPL-2.0-or-later
! m-vir.f - one unit adds to every element of the large array eight times, row by row. Storage is column by
! column, so each step is as wide as a column. m-nmemvir1.f does the same in the order of storage.
module large_array
  use, intrinsic :: iso_c_binding, only: c_int64_t, c_double
  use bench, only: bench_wrong, bench_fail, bench_figure
  implicit none
  integer, parameter :: times = 8
  ! start is not zero, because a library may hand out zeros without touching the memory.
  integer(c_int64_t), parameter :: start = 1
  integer(c_int64_t) :: rows, columns, array_kb, units = 0
  ! This is volatile so that it must be read before each row. The compiler can then neither swap the loops to
  ! follow the order of storage nor merge two walks.
  real(c_double), volatile :: step = 1
  real(c_double), allocatable :: a(:, :)

contains

  ! The array is as nearly square as possible.
  subroutine begin(kilobytes) bind(c)
    integer(c_int64_t), value :: kilobytes
    integer :: status

    rows = int(sqrt(real(kilobytes * 128, c_double)), c_int64_t)
    columns = kilobytes * 128 / rows
    allocate (a(rows, columns), stat=status)
    if (status /= 0) call bench_fail('cannot get memory for the large array')
    a = start
    array_kb = kilobytes
  end subroutine begin

  subroutine unit() bind(c)
    integer(c_int64_t) :: i, j
    integer :: n
    real(c_double) :: added

    do n = 1, times
      do i = 1, rows
        added = step
        do j = 1, columns
          a(i, j) = a(i, j) + added
        end do
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
