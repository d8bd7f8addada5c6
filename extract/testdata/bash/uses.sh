#!/bin/bash
. "$(dirname "$0")/lib.sh"
trap cleanup EXIT
eval run_all
