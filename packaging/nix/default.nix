# SPDX-License-Identifier: GPL-2.0-or-later
# Parsed, and evaluated without nixpkgs, by Nix on Debian (packaging/nix/try). Not tried on NixOS: nothing was
# built. packaging/nix/build fills in what stands between two @.
{ lib, stdenv, fetchurl, gfortran, openssl, perl, zstd }:

stdenv.mkDerivation rec {
  pname = "touchstone";
  version = "@VERSION@";

  src = fetchurl {
    url = "@DOWNLOAD@${pname}-${version}.tar.gz";
    sha256 = "@SHA256@";
  };

  nativeBuildInputs = [ gfortran perl ];
  buildInputs = [ openssl perl zstd ];

  # Measured programs have exactly the flags of their suites, so nothing hardens them.
  hardeningDisable = [ "all" ];
  makeFlags = [
    "FLAVOUR=portable"
    "CFLAGS="
    "LDFLAGS="
    "FFLAGS="
    "PREFIX=${placeholder "out"}"
  ];
  enableParallelBuilding = true;

  doCheck = true;
  checkPhase = "perl -Ilib t/try-programs.pl";

  # Measured scripts stay as they are, with their first line; the command and those of fleet/ get their perl.
  dontPatchShebangs = true;
  postInstall = "patchShebangs --host $out/lib/touchstone/Run $out/lib/touchstone/fleet";

  meta = {
    description = "@SUMMARY@";
    homepage = "@HOME@";
    license = lib.licenses.gpl2Plus;
    platforms = lib.platforms.linux;
    mainProgram = "touchstone";
  };
}
