! SPDX-License-Identifier: GPL-2.0-or-later
! m-stadis1.f - one unit writes a new direct-access file of 1,200 x 1,200 integers, one per record, and then
! reads 1,200 records at random places and writes each back with its sign changed. The file holds the table
! row by row, but it is written column by column: no record follows the one before, so the library, which
! collects adjacent records, passes on each by itself. The file is in the page cache: nothing waits for the disk.
module random_records
  use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_char, c_null_char
  use bench, only: bench_wrong, bench_fail, bench_lost, bench_no_array
  implicit none
  integer, parameter :: side = 1200, records = side * side, picks = side
  ! Some of the picks are the same record.
  integer, parameter :: different = 1199
  logical :: is_open = .false.
  integer :: file, status
  character(len=40) :: name

  interface
    integer(c_int) function c_getpid() bind(c, name='getpid')
      import :: c_int
    end function c_getpid
    integer(c_int) function c_unlink(path) bind(c, name='unlink')
      import :: c_int, c_char
      character(kind=c_char), intent(in) :: path(*)
    end function c_unlink
    subroutine disk_try(size) bind(c)
      import :: c_int64_t
      integer(c_int64_t), value :: size
    end subroutine disk_try
  end interface

contains

  subroutine begin(kilobytes) bind(c)
    integer(c_int64_t), value :: kilobytes

    call bench_no_array(kilobytes)
    call disk_try(int(records, c_int64_t) * storage_size(status) / 8)
    call choose_name()
  end subroutine begin

  ! The process id may not be unique, since other machines or containers may use the same directory.
  subroutine choose_name()
    logical :: exists
    integer :: attempt

    do attempt = 1, 1000
      write (name, '(a, i0, a, i0)') 'lmb1997.', c_getpid(), '.', attempt
      inquire (file=name, exist=exists)
      if (.not. exists) return
    end do
  end subroutine choose_name

  ! The file loses its name at once, so that nothing stays behind however the program ends.
  subroutine open_file()
    integer :: length

    if (is_open) close (file, iostat=status)
    if (is_open .and. status /= 0) call bench_fail('cannot close a file in the working directory')
    inquire (iolength=length) status
    open (newunit=file, file=name, status='new', action='readwrite', access='direct', form='unformatted', &
      recl=length, iostat=status)
    if (status /= 0) call bench_fail('cannot make a file in the working directory')
    is_open = .true.
    if (c_unlink(trim(name) // c_null_char) /= 0) &
      call bench_fail('cannot remove the name of a file in the working directory')
  end subroutine open_file

  subroutine put(record, value)
    integer, intent(in) :: record, value

    write (file, rec=record, iostat=status) value
    if (status /= 0) call bench_fail('cannot write to a file in the working directory')
  end subroutine put

  ! A record holds its number, or its number negated. Fortran's library may not report a write that failed;
  ! then this read finds it, and the cause is the last error of the system.
  integer function got(record)
    integer, intent(in) :: record

    read (file, rec=record, iostat=status) got
    if (status /= 0) call bench_fail('cannot read what was written to a file in the working directory')
    if (abs(got) /= record) call bench_lost('a file in the working directory does not hold what was written')
  end function got

  subroutine unit() bind(c)
    integer :: row, column

    call open_file()
    do column = 1, side
      do row = 1, side
        call put((row - 1) * side + column, (row - 1) * side + column)
      end do
    end do
    call change_some()
    flush (file, iostat=status)
    if (status /= 0) call bench_fail('cannot write to a file in the working directory')
  end subroutine unit

  ! The places come from Lehmer's generator with the multiplier 48271, seeded with 1.
  subroutine change_some()
    integer(c_int64_t) :: number
    integer :: i, record

    number = 1
    do i = 1, picks
      number = mod(number * 48271, 2147483647_c_int64_t)
      record = 1 + int(mod(number, int(records, c_int64_t)))
      call put(record, -abs(got(record)))
    end do
  end subroutine change_some

  subroutine check() bind(c)
    integer :: record, below

    below = 0
    do record = 1, records
      if (got(record) < 0) below = below + 1
    end do
    if (below /= different) call bench_wrong('other records of the file were changed than should be')
  end subroutine check

end module random_records
