! SPDX-License-Identifier: GPL-2.0-or-later
! bench - what a Fortran program calls in the harness. bench_wrong('...') reports an answer that differs from
! the known one, bench_fail('...') an operation that failed; neither returns. bench_figure('name', n) reports
! another number that was measured. bench_no_array(kilobytes), called in `begin`, says that the program has no
! large array, so that giving its size is a usage error.
module bench
  use, intrinsic :: iso_c_binding, only: c_bool, c_char, c_double, c_int64_t, c_null_char
  implicit none
  private
  public :: bench_wrong, bench_fail, bench_lost, bench_figure, bench_no_array, bench_within

  interface
    subroutine fortran_wrong(what) bind(c)
      import :: c_char
      character(kind=c_char), intent(in) :: what(*)
    end subroutine fortran_wrong
    subroutine fortran_fail(what) bind(c)
      import :: c_char
      character(kind=c_char), intent(in) :: what(*)
    end subroutine fortran_fail
    subroutine fortran_lost(what) bind(c)
      import :: c_char
      character(kind=c_char), intent(in) :: what(*)
    end subroutine fortran_lost
    subroutine fortran_figure(name, value) bind(c)
      import :: c_char, c_int64_t
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int64_t), value :: value
    end subroutine fortran_figure
    subroutine fortran_no_array(kilobytes) bind(c)
      import :: c_int64_t
      integer(c_int64_t), value :: kilobytes
    end subroutine fortran_no_array
    pure logical(c_bool) function fortran_within(difference, bound) bind(c, name='within')
      import :: c_bool, c_double
      real(c_double), value :: difference, bound
    end function fortran_within
  end interface

contains

  subroutine bench_wrong(what)
    character(len=*), intent(in) :: what

    call fortran_wrong(trim(what) // c_null_char)
  end subroutine bench_wrong

  subroutine bench_fail(what)
    character(len=*), intent(in) :: what

    call fortran_fail(trim(what) // c_null_char)
  end subroutine bench_fail

  subroutine bench_lost(what)
    character(len=*), intent(in) :: what

    call fortran_lost(trim(what) // c_null_char)
  end subroutine bench_lost

  subroutine bench_figure(name, value)
    character(len=*), intent(in) :: name
    integer(c_int64_t), intent(in) :: value

    call fortran_figure(name // c_null_char, value)
  end subroutine bench_figure

  subroutine bench_no_array(kilobytes)
    integer(c_int64_t), intent(in) :: kilobytes

    call fortran_no_array(kilobytes)
  end subroutine bench_no_array

  ! Compares correctly with any flags of the compiler: NaN is within no bound.
  pure logical function bench_within(difference, bound)
    real(c_double), intent(in) :: difference, bound

    bench_within = fortran_within(difference, bound)
  end function bench_within

end module bench
