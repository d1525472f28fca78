# Nix: `nix-build packaging` in the folder of an sdist or a clone. Needs a nixpkgs whose packages are
# as new as pyproject.toml asks; spake2 and zeroconf are there.
{ pkgs ? import <nixpkgs> { } }:

let
  python = pkgs.python3Packages;
in
python.buildPythonApplication {
  pname = "sabtui";
  version = "1.0.0";
  pyproject = true;
  src = ../.;

  # The build's own requirements are pinned exactly, for builds in isolation; these may be others.
  postPatch = ''
    sed -i 's/^requires = .*/requires = ["babel", "hatchling"]/' pyproject.toml
  '';
  build-system = [ python.babel python.hatchling ];
  dependencies = [
    python.cryptography
    python.msgpack
    python.msgspec
    python.platformdirs
    python.spake2
    python.textual
    python.zeroconf
    # the doors
    python.asyncssh
    python.segno
    python.websockets
  ];
  pythonImportsCheck = [ "sabtui" ];

  meta = {
    description = "Card game Saboteur for terminals";
    license = pkgs.lib.licenses.mit;
    mainProgram = "sabtui";
  };
}
