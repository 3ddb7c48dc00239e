! SPDX-License-Identifier: GPL-2.0-or-later
! m-deriv.f - one unit finds the derivatives of sin, exp, log and a rational function at 200,000 points, from
! ten central differences, each half as wide as the one before, and Richardson's extrapolation. This measures
! the mathematical library and divisions; comparing each point with the exact derivative is a small part of
! it. m-deriv.c is the same in C.
module derivatives
  use, intrinsic :: iso_c_binding, only: c_int64_t, c_double
  use bench, only: bench_wrong, bench_no_array, bench_within
  implicit none
  integer, parameter :: points = 200000, differences = 10
  real(c_double), parameter :: first_point = 1, step = 1e-5_c_double
  real(c_double), parameter :: widest = 0.5_c_double, bound = 1e-9_c_double
  ! This is volatile so that the compiler cannot compute a derivative in advance.
  real(c_double), volatile :: first

  abstract interface
    real(c_double) function real_function(x)
      import :: c_double
      real(c_double), value :: x
    end function real_function
  end interface

contains

  subroutine begin(kilobytes) bind(c)
    integer(c_int64_t), value :: kilobytes

    call bench_no_array(kilobytes)
    first = first_point
  end subroutine begin

  subroutine unit() bind(c)
    call differentiate('sin', sine, cosine)
    call differentiate('exp', exponential, exponential)
    call differentiate('log', logarithm, reciprocal)
    call differentiate('a rational function', rational, rational_derivative)
  end subroutine unit

  ! Every unit has checked its own results already.
  subroutine check() bind(c)
  end subroutine check

  subroutine differentiate(name, f, exact)
    character(len=*), intent(in) :: name
    procedure(real_function) :: f, exact
    real(c_double) :: from, x, error, largest, total
    integer :: i

    from = first
    largest = 0
    total = 0
    do i = 0, points - 1
      x = from + i * step
      error = abs(derivative(f, x) - exact(x))
      if (error > largest) largest = error
      total = total + error
    end do
    ! The search for the largest error may skip a NaN, but a sum cannot.
    if (.not. (bench_within(largest, bound) .and. bench_within(total, bound * points))) &
      call bench_wrong('a derivative of ' // name // ' is wrong')
  end subroutine differentiate

  ! Row i of the extrapolation scheme is d(i) to d(0), and d(0) is its best value.
  real(c_double) function derivative(f, x)
    procedure(real_function) :: f
    real(c_double), intent(in) :: x
    real(c_double) :: d(0:differences - 1), h, power
    integer :: i, j

    h = widest
    do i = 0, differences - 1
      power = 4
      d(i) = (f(x + h) - f(x - h)) / (2 * h)
      do j = i, 1, -1
        d(j - 1) = d(j) + (d(j) - d(j - 1)) / (power - 1)
        power = power * 4
      end do
      h = h / 2
    end do
    derivative = d(0)
  end function derivative

  real(c_double) function sine(x)
    real(c_double), value :: x

    sine = sin(x)
  end function sine

  real(c_double) function cosine(x)
    real(c_double), value :: x

    cosine = cos(x)
  end function cosine

  real(c_double) function exponential(x)
    real(c_double), value :: x

    exponential = exp(x)
  end function exponential

  real(c_double) function logarithm(x)
    real(c_double), value :: x

    logarithm = log(x)
  end function logarithm

  real(c_double) function reciprocal(x)
    real(c_double), value :: x

    reciprocal = 1 / x
  end function reciprocal

  real(c_double) function rational(x)
    real(c_double), value :: x

    rational = (x * x * x - 2 * x + 5) / (x * x + 1)
  end function rational

  real(c_double) function rational_derivative(x)
    real(c_double), value :: x
    real(c_double) :: above, below

    above = x * x * x - 2 * x + 5
    below = x * x + 1
    rational_derivative = ((3 * x * x - 2) * below - above * 2 * x) / (below * below)
  end function rational_derivative

end module derivatives
