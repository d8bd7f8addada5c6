#!/usr/bin/env bash
# Deploys a release to one host.
set -euo pipefail

source ./lib/common.sh
. "$HOME/.deployrc"

readonly MAX_TRIES=3
export DEPLOY_ENV="${1:-staging}"
declare -r CONFIG_DIR=/etc/deploy
declare -A hosts=([web]=10.0.0.1)
RELEASE=$(git rev-parse HEAD)
export PATH
alias ll='ls -l'

# Prints a line with the time.
log() {
  local now
  now=$(date +%T)
  printf '%s %s\n' "$now" "$*"
}

function copy_files {
  local src="$1" dest="$2"
  rsync -a "$src" "$dest" || return 1
}

# Tries a command several times.
function retry() {
  local try=0
  until "$@"; do
    try=$((try + 1))
    if (( try >= MAX_TRIES )); then
      log "gave up"
      return 1
    fi
    sleep 1
  done
}

cleanup() (
  rm -rf "$TMP"
)

trap cleanup EXIT

main() {
  case "${1:-}" in
    push) retry copy_files ./dist "host:/srv" ;;
    *) log "usage: deploy push"; exit 2 ;;
  esac
  cat <<EOF
done: $RELEASE
EOF
}

main "$@"
