# SPDX-License-Identifier: GPL-2.0-or-later
# Parsed, and evaluated without nixpkgs, by Nix on Debian (packaging/nix/try). Not tried on NixOS: nothing was
# built. packaging/nix/build fills in what stands between two @.
{
  description = "@SUMMARY@";

  inputs.nixpkgs.url = "nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }: {
    packages = nixpkgs.lib.genAttrs [ "aarch64-linux" "riscv64-linux" "x86_64-linux" ] (system: {
      default = nixpkgs.legacyPackages.${system}.callPackage ./default.nix { };
    });
  };
}
