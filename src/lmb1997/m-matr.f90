! SPDX-License-Identifier: GPL-2.0-or-later
! m-matr.f - one unit multiplies two matrices of 512 x 512 numbers with the three loops of the definition, and
! solves 512 linear equations by Gaussian elimination, with the largest pivot of each column. It uses no
! blocks and no library: how fast the loops run depends on the compiler and the caches. m-matr.c is the same
! in C; element (j, i) here is stored where [i][j] is there, so that both access memory in the same order.
module matrices
  use, intrinsic :: iso_c_binding, only: c_int64_t, c_double
  use bench, only: bench_wrong, bench_no_array, bench_within
  implicit none
  integer, parameter :: n = 512, largest_whole = 9
  integer(c_int64_t), parameter :: multiplier = 16807, modulus = 2147483647
  real(c_double), parameter :: bound = 1e-9_c_double
  real(c_double) :: a(n, n), b(n, n), product_of_both(n, n)
  real(c_double) :: equation(n, n), right(n), left(n, n), x(n)

contains

  subroutine begin(kilobytes) bind(c)
    integer(c_int64_t), value :: kilobytes
    integer(c_int64_t) :: random
    integer :: i, j

    call bench_no_array(kilobytes)
    random = 1
    do i = 1, n
      do j = 1, n
        call get_whole(random, a(j, i))
        call get_whole(random, b(j, i))
        call get_fraction(random, equation(j, i))
      end do
      call get_fraction(random, right(i))
    end do
  end subroutine begin

  subroutine unit() bind(c)
    call multiply()
    call eliminate()
  end subroutine unit

  subroutine check() bind(c)
    call check_product()
    call check_solution()
  end subroutine check

  ! Factors are small whole numbers, so that their products and sums are exact in any order.
  subroutine get_whole(random, number)
    integer(c_int64_t), intent(inout) :: random
    real(c_double), intent(out) :: number

    random = mod(random * multiplier, modulus)
    number = real(mod(random, 2_c_int64_t * largest_whole + 1) - largest_whole, c_double)
  end subroutine get_whole

  subroutine get_fraction(random, number)
    integer(c_int64_t), intent(inout) :: random
    real(c_double), intent(out) :: number

    random = mod(random * multiplier, modulus)
    number = real(random, c_double) / real(modulus, c_double) - 0.5_c_double
  end subroutine get_fraction

  subroutine multiply()
    real(c_double) :: total
    integer :: i, j, k

    do i = 1, n
      do j = 1, n
        total = 0
        do k = 1, n
          total = total + a(k, i) * b(j, k)
        end do
        product_of_both(j, i) = total
      end do
    end do
  end subroutine multiply

  subroutine bring_up_pivot(k)
    integer, intent(in) :: k
    real(c_double) :: kept
    integer :: i, j, pivot

    pivot = k
    do i = k + 1, n
      if (abs(left(k, i)) > abs(left(k, pivot))) pivot = i
    end do
    do j = k, n
      kept = left(j, k)
      left(j, k) = left(j, pivot)
      left(j, pivot) = kept
    end do
    kept = x(k)
    x(k) = x(pivot)
    x(pivot) = kept
  end subroutine bring_up_pivot

  subroutine eliminate()
    real(c_double) :: factor
    integer :: i, j, k

    left = equation
    x = right
    do k = 1, n
      call bring_up_pivot(k)
      do i = k + 1, n
        factor = left(k, i) / left(k, k)
        do j = k, n
          left(j, i) = left(j, i) - factor * left(j, k)
        end do
        x(i) = x(i) - factor * x(k)
      end do
    end do
    do i = n, 1, -1
      do j = i + 1, n
        x(i) = x(i) - left(j, i) * x(j)
      end do
      x(i) = x(i) / left(i, i)
    end do
  end subroutine eliminate

  ! A vector times the product must equal the vector times one factor, times the other.
  subroutine check_product()
    real(c_double) :: vector(n), half(n), difference
    integer(c_int64_t) :: random
    integer :: i

    random = 2
    do i = 1, n
      call get_whole(random, vector(i))
    end do
    do i = 1, n
      half(i) = dot_product(b(:, i), vector)
    end do
    do i = 1, n
      difference = dot_product(product_of_both(:, i), vector) - dot_product(a(:, i), half)
      if (.not. bench_within(difference, 0.5_c_double)) &
        call bench_wrong('a row of the product is not that of the factors')
    end do
  end subroutine check_product

  subroutine check_solution()
    integer :: i

    do i = 1, n
      if (.not. bench_within(dot_product(equation(:, i), x) - right(i), bound)) &
        call bench_wrong('an equation is wrong with the solution found')
    end do
  end subroutine check_solution

end module matrices
