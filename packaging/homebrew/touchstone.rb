# SPDX-License-Identifier: GPL-2.0-or-later
# Parsed, and its install carried out, by ruby on Debian (packaging/homebrew/try). Not tried by brew.
# packaging/homebrew/build fills in what stands between two @.
class Touchstone < Formula
  desc "@SUMMARY@"
  homepage "@HOME@"
  url "@DOWNLOAD@touchstone-@VERSION@.tar.gz"
  sha256 "@SHA256@"
  license "@LICENCE@"

  depends_on "gcc"
  depends_on :linux
  depends_on "openssl@3"
  depends_on "perl"
  depends_on "zstd"

  # Measured programs have exactly the flags of their suites: brew's own compiler commands would replace -O3.
  env :std

  def install
    flags = ["CFLAGS=-I#{HOMEBREW_PREFIX}/include", "LDFLAGS=-L#{HOMEBREW_PREFIX}/lib", "FFLAGS="]
    system "make", "FLAVOUR=portable", *flags, "PREFIX=#{prefix}", "install"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/touchstone --version")
  end
end
