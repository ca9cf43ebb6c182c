#!/usr/bin/env bash
# podman 4.3.1 (Debian 12): a container has /run/.containerenv, by which programs know that they are in one, but with --read-only it
# has none: the tmpfs that --read-only lays over /run hides it. Expected: the file, however the container is run.
# Needs root, gcc, podman and runc of Debian 12.
set -euo pipefail
podman --version | grep -qF ' 4.3.1' || { echo "tried with podman 4.3.1, not $(podman --version)" && exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export CONTAINERS_CONF="$folder/containers.conf" CONTAINERS_STORAGE_CONF="$folder/storage.conf"
# What a machine that is itself a container allows.
cat >"$CONTAINERS_CONF" <<CONF
[containers]
default_ulimits = ["nofile=$(ulimit -Hn):$(ulimit -Hn)", "nproc=1000:1000"]
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
runtime = "runc"
CONF
printf '[storage]\ndriver = "vfs"\ngraphroot = "%s"\nrunroot = "%s"\n' "$folder/storage" "$folder/run" >"$CONTAINERS_STORAGE_CONF"
mkdir "$folder/root"
cat >"$folder/look.c" <<'C'
#include <stdio.h>
#include <unistd.h>
int main(void) { return !puts(access("/run/.containerenv", F_OK) == 0 ? "there" : "missing"); }
C
gcc -static -o "$folder/root/look" "$folder/look.c"
tar -C "$folder/root" -c . | podman import --quiet - look >/dev/null
plain=$(podman run --rm --network none look /look)
read_only=$(podman run --rm --network none --read-only look /look)
no_tmpfs=$(podman run --rm --network none --read-only --read-only-tmpfs=false look /look)
echo "/run/.containerenv: $plain; with --read-only: $read_only; with --read-only --read-only-tmpfs=false: $no_tmpfs"
[ "$plain $read_only" = 'there missing' ]
