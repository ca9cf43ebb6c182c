#!/bin/sh
# Builds the image from installer/Containerfile and runs installer/compose.yaml with Podman, as somebody would who has the
# folder dist: the wizard's request, what it may and may not write, its health, stop and start, a backup into another volume.
#   npm run package && sh test/container/run.sh
# Needs root, podman and podman-compose; where the registry is out of reach also debootstrap, for a base of the same name.
set -eu
cd "$(dirname "$0")/../.."

skip() {
  echo "Containers were not tried: $1"
  exit 0
}
[ "$(id -u)" = 0 ] || skip 'needs root'
for each in podman podman-compose curl; do
  command -v "$each" >/dev/null || skip "$each is not installed (apt-get install podman podman-compose runc curl)"
done
[ -x dist/institute ] || skip 'there is no dist/institute (npm run package)'

base=docker.io/library/debian:12-slim
work=$(mktemp -d /var/tmp/institute-container-XXXXXX)
name=$(basename "$work" | tr 'A-Z' 'a-z')
port=${PORT:-18080}

# What a machine that is itself a container allows.
cat >"$work/containers.conf" <<CONF
[containers]
default_ulimits = ["nofile=$(ulimit -Hn):$(ulimit -Hn)", "nproc=1000:1000"]
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
$(command -v runc >/dev/null && echo 'runtime = "runc"')
CONF
export CONTAINERS_CONF="$work/containers.conf"

compose() { (cd "$work/$name" && podman-compose "$@"); }
one=${name}_institute_1
clean() {
  # One that starts again and again is in the way of its own removal.
  podman stop --time 0 "$one" "$name-restored" || true
  podman rm --force --time 0 "$one" "$name-restored" || true
  podman volume rm --force "${name}_data" "$name-restored" || true
  podman network rm --force "${name}_default" || true
  rm -rf "$work"
} >/dev/null 2>&1
trap clean EXIT

told() { echo "ok: $1"; }
failed() {
  echo "FAILED: $1" >&2
  podman logs --tail 5 "$one" >&2 || true
  exit 1
}
api=http://127.0.0.1:$port/api/v1
ready() {
  for _ in $(seq 100); do
    if curl -sf -o /dev/null "$api/health/ready"; then return 0; fi
    sleep 0.2
  done
  failed 'it is not ready within 20 seconds'
}
signs_in() {
  curl -sf -o /dev/null "$api/auth/login" -H 'content-type: application/json' \
    -d '{"email":"owner@example.org","password":"olive tree by the gate","client":"mobile"}'
}

if ! podman image exists "$base" && ! timeout 120 podman pull --quiet "$base" >/dev/null 2>&1; then
  command -v debootstrap >/dev/null || skip 'the registry does not answer, and there is no debootstrap'
  debootstrap --variant=minbase bookworm "$work/debian" >/dev/null || skip 'neither the registry nor a Debian mirror answers'
  tar -C "$work/debian" -c . | podman import --quiet - "$base" >/dev/null
  rm -rf "$work/debian"
  echo "The base is one of debootstrap, and not the registry's."
fi

mkdir "$work/$name"
cp -r installer/. "$work/$name/"
cp dist/institute LICENSE-NOTICE "$work/$name/"
sed -i "s/'8080:8080'/'127.0.0.1:$port:8080'/" "$work/$name/compose.yaml"
# chroot: where the machine is itself a container, a step of the build cannot have a container of its own.
(cd "$work/$name" && podman build --quiet --isolation chroot --tag institute . >/dev/null) || failed 'the image is not built'
told "the image is built: $(podman image inspect institute --format '{{.Size}}') bytes"

compose up --detach >"$work/up" 2>&1 || failed "it does not come up: $(cat "$work/up")"
ready
told 'compose.yaml runs'
# The addresses are for people; the token alone is for programs.
token=$(compose exec -T institute institute setup-token 2>/dev/null | tr -d '\r' | grep -x '[A-Za-z0-9_-]\{20,\}' || true)
[ -n "$token" ] || failed 'institute setup-token prints no token'
curl -sf -o /dev/null "$api/setup/bootstrap" -H 'content-type: application/json' -d '{"setupToken":"'"$token"'",
  "institute":{"slug":"al-noor","name":"Al-Noor","defaultLocale":"ar","timezone":"Asia/Jerusalem","currency":"ILS"},
  "owner":{"email":"owner@example.org","password":"olive tree by the gate","firstName":"Noor","lastName":"Haddad"}}' ||
  failed 'the institute is not set up'
told 'an institute is set up by the token that the container prints'

[ "$(podman exec "$one" id -u)" = 10001 ] || failed 'it runs as another user'
for each in /x /usr/local/bin/x /etc/x /var/x; do
  if podman exec "$one" touch "$each" 2>/dev/null; then failed "it can write $each"; fi
done
[ "$(podman exec "$one" sed -n 's/^CapEff:[[:space:]]*//p' /proc/1/status)" = 0000000000000000 ] || failed 'it has rights'
told 'it is user 10001, without a right, and writes nowhere but in its data directory'

podman inspect "$one" --format '{{.Config.Healthcheck.Test}}' | grep -q 'institute.*health' ||
  failed "its health check is $(podman inspect "$one" --format '{{.Config.Healthcheck}}')"
podman healthcheck run "$one" >/dev/null || failed 'the health check says no'
told 'the health check runs, and says that it is well'

compose stop >/dev/null 2>&1
[ "$(podman inspect "$one" --format '{{.State.ExitCode}}')" = 0 ] || failed 'it does not end cleanly'
podman logs "$one" 2>&1 | grep -q '"msg":"stopping"' || failed 'it was not told to stop'
told 'it ends cleanly when it is told to'
compose start >/dev/null 2>&1
ready
signs_in || failed 'after a start the owner cannot sign in'
podman kill --signal KILL "$one" >/dev/null
podman start "$one" >/dev/null
ready
signs_in || failed 'after it was killed the owner cannot sign in'
told 'what was there is there after a stop, and after kill -9'
compose down >/dev/null 2>&1
compose up --detach >/dev/null 2>&1
ready
signs_in || failed 'a new container has lost the data'
told 'a new container on the same volume has the data'

backup=$(podman exec "$one" institute backup) || failed 'no backup'
podman cp "$one:$backup" "$work/backup.tar.gz"
podman stop "$one" >/dev/null
chmod 644 "$work/backup.tar.gz"
podman volume create "$name-restored" >/dev/null
podman run --rm --volume "$name-restored:/var/lib/institute" --volume "$work/backup.tar.gz:/backup.tar.gz:ro" institute \
  restore --yes /backup.tar.gz >/dev/null || failed 'the backup does not come back'
podman run --detach --name "$name-restored" --volume "$name-restored:/var/lib/institute" \
  --publish "127.0.0.1:$port:8080" institute >/dev/null
ready
signs_in || failed 'the owner cannot sign in at the restored one'
told 'a backup comes back into another volume'
