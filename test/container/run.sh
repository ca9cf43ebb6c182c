#!/bin/sh
# Builds the image from installer/Containerfile and runs installer/compose.yaml with Docker and with Podman, as somebody would
# who has the folder dist: the wizard's request, a student, what it may and may not write, its health, stop and start, a newer
# version on the same data, a backup into another volume.
#   npm run package && sh test/container/run.sh [docker|podman]
# FORMER=FILE is an executable of an older version, from which it is updated; else that is the same program in another file.
# Needs root, and docker.io with the compose plugin, or podman and podman-compose; where the registry is out of reach also
# debootstrap, for a base of the same name. Where no Docker runs, one of its own is started, in a folder of its own.
set -eu
cd "$(dirname "$0")/../.."

skip() {
  echo "$1 was not tried: $2"
  exit 0
}
[ "$(id -u)" = 0 ] || skip Containers 'needs root'
[ -x dist/institute ] || skip Containers 'there is no dist/institute (npm run package)'
if [ $# = 0 ]; then
  for each in docker podman; do sh "$0" "$each"; done
  exit
fi
engine=$1
former=$(realpath "${FORMER:-dist/institute}")

work=$(mktemp -d /var/tmp/institute-container-XXXXXX)
name=$(basename "$work" | tr 'A-Z' 'a-z')
port=${PORT:-18080}
daemon=
clean() {
  # One that starts again and again is in the way of its own removal.
  for each in $(ours) "$name-restored"; do
    $engine stop --time 0 "$each"
    $engine rm --force "$each"
  done
  $engine volume rm --force "${name}_data" "$name-restored"
  $engine network rm "${name}_default"
  if [ -n "$daemon" ]; then
    kill "$daemon"
    wait "$daemon"
  fi
  rm -rf "$work"
} >/dev/null 2>&1
ours() { $engine ps --all --filter "label=com.docker.compose.project=$name" --format '{{.Names}}'; }
trap 'clean || true' EXIT

case $engine in
docker)
  command -v docker >/dev/null || skip Docker 'it is not installed (apt-get install docker.io)'
  if docker compose version >/dev/null 2>&1; then
    run_compose='docker compose'
  elif command -v docker-compose >/dev/null; then
    run_compose=docker-compose
  else
    skip Docker 'there is neither its compose plugin nor docker-compose (apt-get install docker-compose)'
  fi
  if ! docker info >/dev/null 2>&1; then
    command -v dockerd >/dev/null || skip Docker 'none runs, and dockerd is not installed'
    export DOCKER_HOST="unix://$work/docker.sock"
    dockerd --data-root "$work/docker" --exec-root "$work/exec" --pidfile "$work/docker.pid" --host "$DOCKER_HOST" \
      >"$work/daemon" 2>&1 &
    daemon=$!
    for _ in $(seq 100); do
      docker info >/dev/null 2>&1 && break
      kill -0 "$daemon" 2>/dev/null || skip Docker "dockerd does not run here: $(tail -n 1 "$work/daemon")"
      sleep 0.2
    done
  fi
  ;;
podman)
  for each in podman podman-compose; do
    command -v "$each" >/dev/null || skip Podman "$each is not installed (apt-get install podman podman-compose catatonit)"
  done
  run_compose=podman-compose
  # What a machine that is itself a container allows; there, a step of a build cannot have a container of its own.
  export BUILDAH_ISOLATION=chroot CONTAINERS_CONF="$work/containers.conf"
  cat >"$CONTAINERS_CONF" <<CONF
[containers]
default_ulimits = ["nofile=$(ulimit -Hn):$(ulimit -Hn)", "nproc=1000:1000"]
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
$(command -v runc >/dev/null && echo 'runtime = "runc"')
CONF
  ;;
*) skip "$engine" 'there are docker and podman' ;;
esac
echo "$($engine --version), $($run_compose version --short 2>/dev/null || $run_compose version 2>/dev/null | grep -i compose)"

compose() { (cd "$work/$name" && $run_compose "$@"); }
one() { ours | head -n 1; }
told() { echo "ok: $1"; }
failed() {
  echo "FAILED: $1" >&2
  $engine logs --tail 5 "$(one)" >&2 || true
  exit 1
}
api=http://127.0.0.1:$port/api/v1
ready() {
  for _ in $(seq 150); do
    if curl -sf -o /dev/null "$api/health/ready"; then return 0; fi
    sleep 0.2
  done
  failed 'it is not ready within 30 seconds'
}
post() { curl -sf "$api$1" -H 'content-type: application/json' -H "authorization: Bearer ${3:-}" -d "$2"; }
# A field of the answer; there is no jq everywhere.
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }
signs_in() { post /auth/login '{"email":"owner@example.org","password":"olive tree by the gate","client":"mobile"}' | field accessToken; }
# Whether the owner finds the student who was written down before.
is_whole() {
  token=$(signs_in)
  [ -n "$token" ] && curl -sf "$api/students" -H "authorization: Bearer $token" | grep -q '"studentNumber":"S-000007"'
}
is_healthy() { [ "$($engine inspect "$(one)" --format '{{.State.Health.Status}}')" = healthy ]; }

base=docker.io/library/debian:12-slim
if ! $engine image inspect "$base" >/dev/null 2>&1 && ! timeout 30 $engine pull --quiet "$base" >/dev/null 2>&1; then
  command -v debootstrap >/dev/null || skip "$engine" 'the registry does not answer, and there is no debootstrap'
  debootstrap --variant=minbase bookworm "$work/debian" >/dev/null || skip "$engine" 'neither the registry nor a Debian mirror answers'
  tar -C "$work/debian" -c . | $engine import - "$base" >/dev/null 2>&1
  rm -rf "$work/debian"
  echo "The base is one of debootstrap, and not the registry's."
fi

mkdir "$work/$name"
cp -r installer/. "$work/$name/"
cp LICENSE-NOTICE "$work/$name/"
cp "$former" "$work/$name/institute"
# One that takes no space for an empty setting is given both.
[ -z "${FORMER:-}" ] ||
  printf 'INSTITUTE_BASE_URL=http://127.0.0.1:%s\nINSTITUTE_METRICS_TOKEN=of-sixteen-characters\n' "$port" >"$work/$name/.env"
# Never the same file as dist/institute, so that the update below makes another image.
echo >>"$work/$name/institute"
sed -i "s/'8080:8080'/'127.0.0.1:$port:8080'/" "$work/$name/compose.yaml"
compose up --build --detach >"$work/up" 2>&1 || failed "it does not come up: $(cat "$work/up")"
if grep -i 'warn.*variable' "$work/up"; then failed 'compose warns of what nobody has to set'; fi
ready
first=$($engine inspect "$(one)" --format '{{.Image}}')
told "the image is built, of $($engine image inspect institute --format '{{.Size}}') bytes, and compose.yaml runs"

curl -sf "http://127.0.0.1:$port/setup/" | grep -qi '<script' || failed 'the wizard does not open'
# What is said is for people; the token alone is for programs.
token=$(compose exec -T institute institute setup-token 2>"$work/greeting" | tr -d '\r' | grep -x '[A-Za-z0-9_-]\{20,\}' || true)
[ -n "$token" ] || failed 'institute setup-token prints no token'
own=$($engine inspect "$(one)" --format '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}')
if [ -z "${FORMER:-}" ] && grep -qF "$own" "$work/greeting"; then failed "it tells people an address that only this machine reaches: $own"; fi
post /setup/bootstrap '{"setupToken":"'"$token"'",
  "institute":{"slug":"al-noor","name":"Al-Noor","defaultLocale":"ar","timezone":"Asia/Jerusalem","currency":"ILS"},
  "owner":{"email":"owner@example.org","password":"olive tree by the gate","firstName":"Noor","lastName":"Haddad"}}' >/dev/null ||
  failed 'the institute is not set up'
token=$(signs_in)
branch=$(curl -sf "$api/branches" -H "authorization: Bearer $token" | grep -o '"id":"[^"]*"' | head -n 1 | cut -d '"' -f 4)
post /students '{"branchId":"'"$branch"'","firstName":"Rami","lastName":"Khoury","studentNumber":"S-000007"}' "$token" >/dev/null ||
  failed 'no student is written down'
is_whole || failed 'the student is not found'
told 'an institute is set up by the token that the container prints, and a student written down'

[ "$($engine exec "$(one)" id -u)" = 10001 ] || failed 'it runs as another user'
for each in /x /usr/local/bin/x /etc/x /var/x; do
  if $engine exec "$(one)" touch "$each" 2>/dev/null; then failed "it can write $each"; fi
done
[ "$($engine exec "$(one)" sed -n 's/^CapEff:[[:space:]]*//p' /proc/1/status)" = 0000000000000000 ] || failed 'it has rights'
told 'it is user 10001, without a right, and writes nowhere but in its data directory'

if [ "$engine" = podman ]; then
  # Podman leaves the rhythm to the timers of a systemd, which not every machine has.
  podman inspect "$(one)" --format '{{.Config.Healthcheck.Test}}' | grep -q 'institute.*health' || failed 'it has no health check'
  podman healthcheck run "$(one)" >/dev/null || failed 'the health check says no'
fi
for _ in $(seq 45); do
  if is_healthy; then break; fi
  sleep 1
done
is_healthy || failed 'it is not healthy within 45 seconds'
told 'its health check makes it healthy'

compose stop >/dev/null 2>&1
[ "$($engine inspect "$(one)" --format '{{.State.ExitCode}}')" = 0 ] || failed 'it does not end cleanly'
$engine logs "$(one)" 2>&1 | grep -q '"msg":"stopping"' || failed 'it was not told to stop'
told 'it ends cleanly when it is told to'
compose start >/dev/null 2>&1
ready
is_whole || failed 'the student is lost after a stop'
$engine kill --signal KILL "$(one)" >/dev/null
$engine start "$(one)" >/dev/null
ready
is_whole || failed 'the student is lost after kill -9'
told 'what was there is there after a stop, and after kill -9'
compose down >/dev/null 2>&1
compose up --detach >/dev/null 2>&1
ready
is_whole || failed 'a new container has lost the data'
told 'a new container on the same volume has the data'

cp dist/institute "$work/$name/institute"
# As the head of compose.yaml says: podman-compose leaves a container of the former image running without --force-recreate.
compose up --build --force-recreate --detach >"$work/up" 2>&1 || failed "the new version does not come up: $(cat "$work/up")"
ready
[ "$($engine inspect "$(one)" --format '{{.Image}}')" != "$first" ] || failed 'after an update the former image runs'
is_whole || failed 'the new version has lost the data'
told "another version, $($engine exec "$(one)" institute version), has the data"

backup=$($engine exec "$(one)" institute backup 2>/dev/null) || failed 'no backup'
$engine cp "$(one):$backup" "$work/backup.tar.gz" >/dev/null
compose stop >/dev/null 2>&1
chmod 644 "$work/backup.tar.gz"
$engine volume create "$name-restored" >/dev/null
$engine run --rm --volume "$name-restored:/var/lib/institute" --volume "$work/backup.tar.gz:/backup.tar.gz:ro" institute \
  restore --yes /backup.tar.gz >/dev/null 2>&1 || failed 'the backup does not come back'
$engine run --detach --name "$name-restored" --volume "$name-restored:/var/lib/institute" \
  --publish "127.0.0.1:$port:8080" institute >/dev/null 2>&1
ready
is_whole || failed 'the restored one has not what the backup has'
told 'a backup comes back into another volume'
