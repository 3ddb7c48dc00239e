! SPDX-License-Identifier: GPL-2.0-or-later
! m-comb.f - one unit makes Pascal's triangle to row 60 modulo 2^31 - 1, 100,000 times, each row in the place
! of the one before, and then all 735,471 subsets of 8 of 24 elements, with their checksum. This measures
! integers in registers and the first-level cache. m-comb.c is the same in C.
module combinations
  use, intrinsic :: iso_c_binding, only: c_int64_t
  use bench, only: bench_wrong, bench_no_array
  implicit none
  integer, parameter :: triangles = 100000, rows = 60, elements = 24, chosen = 8, subsets = 735471
  integer(c_int64_t), parameter :: prime = 2147483647, middle = 687300085, row_sum = 536870912
  integer(c_int64_t), parameter :: checksum = 187881705
  ! This is volatile so that the compiler cannot compute a triangle in advance.
  integer(c_int64_t), volatile :: top = 1
  integer(c_int64_t) :: row(0:rows)
  integer :: subset(0:chosen - 1)

contains

  subroutine begin(kilobytes) bind(c)
    integer(c_int64_t), value :: kilobytes

    call bench_no_array(kilobytes)
  end subroutine begin

  subroutine unit() bind(c)
    integer :: i

    do i = 1, triangles
      call make_triangle()
      call check_row()
    end do
    call make_subsets()
  end subroutine unit

  ! Every unit has checked its own results already.
  subroutine check() bind(c)
  end subroutine check

  subroutine make_triangle()
    integer :: n, k

    row(0) = top
    do k = 1, rows
      row(k) = 0
    end do
    do n = 1, rows
      do k = n, 1, -1
        row(k) = mod(row(k) + row(k - 1), prime)
      end do
    end do
  end subroutine make_triangle

  ! Row n must add up to 2^n.
  subroutine check_row()
    integer(c_int64_t) :: total
    integer :: k

    total = 0
    do k = 0, rows
      total = total + row(k)
    end do
    if (row(rows / 2) /= middle) call bench_wrong('C(60, 30) is not what it should be')
    if (mod(total, prime) /= row_sum) call bench_wrong('the last row adds up to something else')
  end subroutine check_row

  subroutine make_subsets()
    integer(c_int64_t) :: total
    integer :: i, made

    do i = 0, chosen - 1
      subset(i) = i
    end do
    total = 0
    made = 0
    do
      call add(total)
      made = made + 1
      if (.not. next_subset()) exit
    end do
    if (made /= subsets) call bench_wrong('there are more or fewer subsets than there should be')
    if (total /= checksum) call bench_wrong('the checksum of all subsets is another')
  end subroutine make_subsets

  subroutine add(total)
    integer(c_int64_t), intent(inout) :: total
    integer :: i

    do i = 0, chosen - 1
      total = mod(total * 31 + subset(i), prime)
    end do
  end subroutine add

  ! Increases the last element that can grow, and lets the elements behind it follow it directly.
  logical function next_subset()
    integer :: i, j

    i = chosen - 1
    do while (i >= 0)
      if (subset(i) /= elements - chosen + i) exit
      i = i - 1
    end do
    next_subset = i >= 0
    if (.not. next_subset) return
    subset(i) = subset(i) + 1
    do j = i + 1, chosen - 1
      subset(j) = subset(j - 1) + 1
    end do
  end function next_subset

end module combinations
