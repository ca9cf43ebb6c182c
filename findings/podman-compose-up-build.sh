#!/usr/bin/env bash
# podman-compose 1.0.3 (Debian 12, podman 4.3.1): `up --build --detach` builds the new image and then keeps the former container
# running, and ends with 0: an update that way changes nothing. --force-recreate changes it. Expected, as docker compose does: a
# container whose image has changed is made anew. Needs root, gcc, podman, podman-compose, catatonit and runc of Debian 12.
set -euo pipefail
[ "$(dpkg-query -W -f '${Version}' podman-compose)" = 1.0.3-3 ] || { echo 'tried with podman-compose 1.0.3' && exit 1; }
folder=$(mktemp -d)
# What a machine that is itself a container allows.
export BUILDAH_ISOLATION=chroot CONTAINERS_CONF="$folder/containers.conf" CONTAINERS_STORAGE_CONF="$folder/storage.conf"
trap 'podman rm --all --force --time 0 >/dev/null 2>&1; podman network rm up-build_default >/dev/null 2>&1; rm -rf "$folder"' EXIT
cat >"$CONTAINERS_CONF" <<CONF
[containers]
default_ulimits = ["nofile=$(ulimit -Hn):$(ulimit -Hn)", "nproc=1000:1000"]
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
runtime = "runc"
CONF
printf '[storage]\ndriver = "vfs"\ngraphroot = "%s"\nrunroot = "%s"\n' "$folder/storage" "$folder/run" >"$CONTAINERS_STORAGE_CONF"
mkdir "$folder/up-build"
cd "$folder/up-build"
printf '#include <unistd.h>\nint main(void) { pause(); }\n' >wait.c
gcc -static -o wait wait.c
printf 'FROM scratch\nCOPY wait version /\nCMD ["/wait"]\n' >Containerfile
printf 'services:\n  app:\n    build: { context: ., dockerfile: Containerfile }\n    image: localhost/app:latest\n' >compose.yaml
up() {
  echo "$1" >version
  shift
  podman-compose --file compose.yaml up --build --detach "$@" >up.log 2>&1 || { cat up.log && exit 1; }
}
running() { podman cp "$(podman ps --quiet | head -n 1)":/version - | tar -xO; }
up 1
first=$(running)
up 2
second=$(running)
built=$(podman image inspect localhost/app:latest --format '{{.Id}}')
of=$(podman inspect "$(podman ps --quiet | head -n 1)" --format '{{.Image}}')
up 3 --force-recreate
echo "runs $first; after up --build of 2 it runs $second; after --force-recreate of 3 it runs $(running)"
[ "$first $second $(running)" = '1 1 3' ] && [ "$built" != "$of" ]
