# Homebrew. Before use: put in where the release is and its hash (sha256sum), then let this write the
# resources of what Sabtui and its doors need, but for cryptography, which Homebrew has built:
# brew update-python-resources sabtui
class Sabtui < Formula
  include Language::Python::Virtualenv

  desc "Card game Saboteur for terminals, on a local network or against bots"
  homepage "https://example.org/sabtui"
  url "https://example.org/sabtui-1.0.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on "cryptography" => :no_linkage
  depends_on "python@3.14"

  pypi_packages exclude_packages: "cryptography",
                extra_packages:   %w[asyncssh segno websockets]

  # Resources: asyncssh, msgpack, msgspec, platformdirs, segno, spake2, textual, websockets,
  # zeroconf, and what they need.

  def install
    virtualenv_install_with_resources
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/sabtui --version")
  end
end
