#!/usr/bin/env bash
# readme.sh PROGRAM ROOT: runs every `contraflow` command of the README in an empty folder, and looks
# for the scripts and files that it names.
set -euo pipefail
program=$1
root=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
ln -s "$root/data" "$folder/data"
mkdir "$folder/bin"
ln -s "$program" "$folder/bin/contraflow"
export PATH=$folder/bin:$PATH

while read -r script; do
  [[ -f $root/$script ]] || { echo "README names $script, which is not there" >&2; exit 1; }
done < <(sed -n 's/^    bash \([^ ]*\).*/\1/p' "$root/README.md")
while read -r link; do
  [[ -e $root/$link ]] || { echo "README links to $link, which is not there" >&2; exit 1; }
done < <(grep -o '](\([^)#]*\))' "$root/README.md" | tr -d ']()' | grep -v '^http')

cd "$folder"
commands=0
while read -r command; do
  echo "== $command"
  $command </dev/null
  ((commands += 1))
done < <(sed -n 's/^    \(contraflow .*\)/\1/p' "$root/README.md")
((commands >= 5)) || { echo "only $commands commands found in the README" >&2; exit 1; }
[[ -s cylinder_quick_out/flow.xmf && -s cylinder_quick_out/report.html ]]
