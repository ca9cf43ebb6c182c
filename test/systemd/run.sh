#!/bin/sh
# Signed updates as a server with systemd gets them: install.sh, institute-update.path and .service, institute-settle.service
# under a real systemd as process 1 (systemd-nspawn), with faults. Prints a line for each: which whole version stands, whether
# anything is lost, and what the owner is told.
#   npm run package && sh test/systemd/run.sh [FOLDER]     FOLDER keeps the Debian that is made, for the next time
# Needs root, debootstrap, systemd-container and a Debian mirror.
set -eu
cd "$(dirname "$0")/../.."

skip() {
  echo "Updates under systemd were not tried: $1"
  exit 0
}
[ "$(id -u)" = 0 ] || skip 'needs root'
for each in debootstrap systemd-nspawn nsenter; do
  command -v "$each" >/dev/null || skip "$each is not installed (apt-get install debootstrap systemd-container)"
done
[ -x dist/institute ] || skip 'there is no dist/institute (npm run package)'

work=$(mktemp -d /var/tmp/institute-systemd-XXXXXX)
base=$(realpath -m "${1:-$work/base}")
root=$work/root
nspawn=
pid=

# The systemd of the container: the process whose root it is.
init() {
  for each in /proc/[0-9]*; do
    case $(readlink "$each/exe" 2>/dev/null) in */systemd) ;; *) continue ;; esac
    [ "$(stat -Lc %d:%i "$each/root/etc" 2>/dev/null)" = "$(stat -Lc %d:%i "$root/etc")" ] || continue
    grep -q '^NSpid:.*[[:space:]]1$' "$each/status" || continue
    basename "$each"
    return
  done
}
inside() {
  nsenter -t "$pid" -m -p -n -u -i -C --root="/proc/$pid/root" --wd="/proc/$pid/root" \
    env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 "$@"
}
boot() {
  # Nothing of what is tried reaches another machine; Debian 13's systemd refuses cgroups v1.
  SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1 systemd-nspawn --quiet --directory "$root" --register=no --keep-unit \
    --private-network --boot >>"$work/console" 2>&1 </dev/null &
  nspawn=$!
  wait_for 60 'process 1' is_up
}
is_up() {
  pid=$(init)
  [ -n "$pid" ] && inside systemctl is-system-running 2>/dev/null | grep -qE 'running|degraded|starting'
}
cut_power() {
  [ -z "$pid" ] || kill -9 "$pid" 2>/dev/null || true
  pid=
  wait "$nspawn" 2>/dev/null || true
  nspawn=
}
clean() {
  cut_power
  rm -rf "$work"
}
trap clean EXIT
wait_for() {
  seconds=$1 what=$2
  shift 2
  end=$(($(date +%s) + seconds))
  until "$@"; do
    [ "$(date +%s)" -lt "$end" ] || { echo "FAILED: within $seconds seconds: $what" >&2; tail -n 20 "$work/console" >&2; exit 1; }
    sleep 0.2
  done
}

api=http://127.0.0.1:8080/api/v1
answers() { inside curl -sf -o /dev/null "$api/health/ready" 2>/dev/null; }
post() { inside curl -sf "$api$1" -H 'content-type: application/json' -H "authorization: Bearer ${2:-}" -d "$3"; }
if [ ! -e "$base/usr/lib/systemd/systemd" ]; then
  debootstrap --variant=minbase --include=systemd,dbus,openssl,curl,iproute2 trixie "$base" >"$work/debootstrap" 2>&1 ||
    skip 'no Debian mirror answers'
fi
cp -a "$base" "$root"
node build/boot.mjs test/systemd/files.ts "$root/srv"
rm -rf "$root/srv/work"
boot
mkdir -p "$root/srv/updates" "$root/var/lib/institute"
# By the address the program knows that it is to look after updates; there is nothing at it.
echo 'INSTITUTE_UPDATE_URL = /srv/updates' >"$root/var/lib/institute/institute.conf"
inside sh /srv/first/install.sh install >"$work/install" 2>&1 || { cat "$work/install" >&2; exit 1; }
wait_for 60 'the first version answers' answers
setup=$(inside institute setup-token 2>/dev/null | grep -x '[A-Za-z0-9_-]\{20,\}')
# It is good for a quarter of an hour, longer than all of this takes, and also after the data has been put back.
token=$(post /setup/bootstrap '' '{"setupToken":"'"$setup"'","institute":{"slug":"al-noor","name":"Al-Noor","defaultLocale":"ar",
  "timezone":"Asia/Jerusalem","currency":"ILS"},"owner":{"email":"owner@example.org","password":"olive tree by the gate",
  "firstName":"Noor","lastName":"Haddad"}}' | sed 's/.*"accessToken":"\([^"]*\)".*/\1/')
branch=$(inside curl -sf "$api/branches" -H "authorization: Bearer $token" | sed 's/.*"id":"\([^"]*\)".*/\1/')
failures=0

# A change, of which the next lines say whether it is still there.
students=0
add() {
  post /students "$token" '{"branchId":"'"$branch"'","firstName":"Layan","lastName":"'"$1"'"}' >/dev/null
  students=$((students + 1))
}
# As the service lays it: by its own user, the wish last.
stage() {
  inside sh -c 'cd /var/lib/institute && rm -rf .update && cp -r "/srv/$0" .update && chown -R institute:institute .update &&
    setpriv --reuid institute --regid institute --clear-groups touch .update/wanted' "$1"
}
is_done() { ! grep -q '"applying"' "$root/opt/institute/update-result.json" && ! inside systemctl is-active --quiet institute-update; }
has_begun() { [ -s "$root/opt/institute/update-result.json" ]; }
told() {
  inside curl -sf "$api/server/updates" -H "authorization: Bearer $token" | sed 's/.*"install":\({[^}]*}\|null\).*/\1/'
}
# What stands, against what should.
look() {
  case=$1 version=$2 word=$3
  wait_for 120 "$case: it answers" answers
  stands=$(inside institute version | sed "s/ .*//")
  units=$(inside systemctl is-active institute institute-update.path | tr '\n' ' ')
  found=$(inside curl -sf "$api/students?limit=100" -H "authorization: Bearer $token" | grep -o '"lastName"' | wc -l)
  seen=
  # What becomes of it is looked at every half minute while it goes on.
  for _ in $(seq 200); do
    seen=$(told)
    case $seen in *"$word"*) break ;; esac
    sleep 0.2
  done
  good=yes
  [ "$stands" = "$version" ] && [ "$found" = "$students" ] && [ ! -e "$root/opt/institute/trial" ] &&
    [ "$units" = 'active active ' ] || good=NO
  case $seen in *"$word"*) ;; *) good=NO ;; esac
  [ "$good" = yes ] || failures=$((failures + 1))
  echo "$good | $case | stands: $stands ($units) | students: $found of $students | told: $seen"
  rm -f "$root/opt/institute/update-result.json"
}

add one
stage wrong-key
wait_for 60 'it is looked at' has_begun
wait_for 60 'it is refused' is_done
# The owner is told once an hour, and when the program starts.
inside systemctl restart institute
look 'signed by another key' 0.1.0 bad_signature

add two
stage dies
wait_for 60 'it is looked at' has_begun
wait_for 200 'it has gone back' is_done
look 'dies, and its data with it' 0.1.0 went_back

# The power goes once the version is on trial, once the data is backed up, and once the new one stands and has harmed the data.
on_trial() { [ -e "$root/opt/institute/trial" ]; }
backed_up() { grep -q . "$root/opt/institute/trial" 2>/dev/null; }
new_stands() { backed_up && [ "$(head -c 2 "$root/opt/institute/institute")" = '#!' ] && [ ! -e "$root/var/lib/institute/institute.db" ]; }
for moment in on_trial backed_up new_stands; do
  add "$moment"
  stage hangs
  wait_for 60 "$moment" "$moment"
  cut_power
  boot
  look "power cut: $moment" 0.1.0 power_cut
done

add three
# The good one has a number of its own and is the same program, which finds what became of it in its folder.
cp "$root/srv/first/institute" "$root/opt/institute/program"
stage good
wait_for 60 'it is looked at' has_begun
wait_for 200 'it is put in' is_done
look 'a good version' 9.9.9 '"result":"ok"'

[ "$failures" = 0 ] || exit 1
