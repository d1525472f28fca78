#!/bin/sh
# Installs Sabtui from the wheels beside this script, without internet: sh install.sh [FOLDER]
set -eu
wheels=$(cd "$(dirname "$0")/wheels" && pwd)
pip=$(ls "$wheels"/pip-*.whl)
folder=${1:-$HOME/sabtui}

fits() { # python: does it start, and are there wheels for it?
  tag=$("$1" -c 'import sys, venv; print("cp%d%d" % sys.version_info[:2])' 2>/dev/null) &&
    ls "$wheels" | grep -q -e "-$tag-$tag-"
}

for python in python3 python3.14 python3.13 python3.12 python3.11 python; do
  if fits "$python"; then
    # Without its pip, which some systems keep in a package of their own: the stick has one.
    "$python" -m venv --without-pip "$folder"
    "$folder/bin/python" "$pip/pip" --isolated install --quiet --upgrade \
      --no-index --find-links "$wheels" --no-warn-script-location 'sabtui[ssh,web]'
    echo "Sabtui is installed. Play: $folder/bin/sabtui"
    exit
  fi
done
echo 'No suitable Python found: README.txt says which ones this stick is for.' >&2
exit 1
