#!/bin/sh
# Installs the institute on a server as a service, upgrades it, or uninstalls it.
# Works on a Debian-like Linux with only its base packages. Without systemd it installs the same files, and the
# administrator starts the program.
set -eu

usage() {
  cat <<'END'
Usage: install.sh [OPTIONS] COMMAND [FILE]

  install [FILE]    make the user `institute`, the service and the command `institute`, and start it
  upgrade [FILE]    back up, put another version in, and go back when it does not answer
  settle            go back from an upgrade that was broken off, by a power cut for example; systemd does that by itself
  uninstall         take all of it away but the data

FILE is the executable; without it, the one beside this script.

  --wait SECONDS    how long a version may take until it answers (60)
  --key FILE        the public key of whoever makes releases; without it that of the version that is installed counts
  --unsigned        takes a package that nobody signed although the version that is installed was signed
  --without-backup  upgrade: there is one already; the only way when the database is in Postgres
  --root DIR        lay everything under DIR, for an image of another machine or a trial; no user, no service
END
}

wrong_usage() {
  usage >&2
  exit 2
}

say() { printf '%s\n' "$*"; }
complain() { printf '%s\n' "$*" >&2; }
die() {
  complain "$*"
  exit 1
}

root=
limit=60
with_backup=yes
given_key=
unsigned=no
command=
file=

while [ $# -gt 0 ]; do
  case $1 in
  --root)
    [ -d "${2:-}" ] || die '--root needs a folder that exists.'
    root=$(cd -- "$2" && pwd)
    shift
    ;;
  --wait)
    case ${2:-} in '' | *[!0-9]*) die '--wait needs a number of seconds.' ;; esac
    limit=$2
    shift
    ;;
  --key)
    [ -f "${2:-}" ] || die '--key needs a file: the public key of whoever makes releases.'
    given_key=$2
    shift
    ;;
  --unsigned) unsigned=yes ;;
  --without-backup) with_backup=no ;;
  --help | -h)
    usage
    exit 0
    ;;
  -*) wrong_usage ;;
  *)
    if [ -z "$command" ]; then
      command=$1
    elif [ -z "$file" ]; then
      file=$1
    else
      wrong_usage
    fi
    ;;
  esac
  shift
done

here=$(cd -- "$(dirname -- "$0")" && pwd)
file=${file:-$here/institute}
case $file in /*) ;; *) file=$PWD/$file ;; esac
program=$root/opt/institute/institute
entry=$root/usr/local/bin/institute
unit=$root/etc/systemd/system/institute.service
data=$root/var/lib/institute
log=
child=

# ---- the running program -------------------------------------------------------------------------------------------

has_systemd() { [ -z "$root" ] && [ -d /run/systemd/system ]; }

# The program gets an empty environment, like the service, and not the administrator's.
institute() { env -i HOME="$data" INSTITUTE_DATA_DIR="$data" "$program" "$@"; }

start() {
  if has_systemd; then
    systemctl daemon-reload
    # systemd does not restart a service that failed too often, unless the failures are reset.
    systemctl reset-failed institute 2>/dev/null || true
    # When it is ready, systemctl would wait for without an end; this script waits for so long as it was told.
    systemctl start --no-block institute
    return
  fi
  # Without systemd it runs only while this script checks it. Run as root, it drops root's rights by itself.
  log=$(mktemp)
  env -i HOME="$data" INSTITUTE_DATA_DIR="$data" "$program" serve >"$log" 2>&1 9>&- &
  child=$!
}

stop() {
  if has_systemd; then
    systemctl stop institute
  elif [ -n "$child" ]; then
    kill "$child" 2>/dev/null || true
    wait "$child" 2>/dev/null || true
    child=
    rm -f "$log"
  fi
}

is_running() {
  if has_systemd; then systemctl is-active --quiet institute; else kill -0 "$child" 2>/dev/null; fi
}

# Prints the value of a setting in institute.conf; nothing when it is not set.
setting() {
  [ -f "$data/institute.conf" ] || return 0
  sed -n "s/^[[:space:]]*$1[[:space:]]*=[[:space:]]*\(.*[^[:space:]]\)[[:space:]]*\$/\1/p" "$data/institute.conf" |
    tail -n 1 | sed "s/^\([\"']\)\(.*\)\1\$/\2/"
}

# Whether /health/ready answers 200. For plain HTTP bash opens the TCP connection, so that no curl is needed.
answers() {
  host=$(setting INSTITUTE_HOST)
  port=$(setting INSTITUTE_PORT)
  case $host in '' | 0.0.0.0 | ::) host=127.0.0.1 ;; esac
  if [ -n "$(setting INSTITUTE_TLS_CERT)" ]; then
    curl --insecure --silent --fail --max-time 5 -o /dev/null "https://$host:${port:-8080}/api/v1/health/ready"
  else
    # shellcheck disable=SC2016 # bash expands it, not this shell
    timeout 5 bash -c '
      exec 3<>"/dev/tcp/$0/$1" || exit 1
      printf "GET /api/v1/health/ready HTTP/1.1\r\nHost: %s:%s\r\nConnection: close\r\n\r\n" "$0" "$1" >&3
      read -r _ status _ <&3 && [ "$status" = 200 ]
    ' "$host" "${port:-8080}" 2>/dev/null
  fi
}

# Whether it is ready within so many seconds.
wait_until_ready() {
  end=$(($(date +%s) + $1))
  while [ "$(date +%s)" -le "$end" ]; do
    if is_running; then
      if answers; then return 0; fi
    elif [ -n "$child" ]; then
      return 1
    fi
    sleep 1
  done
  return 1
}

# Prints the last log lines of a version that does not answer.
show_log() {
  if has_systemd; then
    journalctl --unit institute --lines 10 --no-pager --output cat >&2 || true
  elif [ -n "$log" ] && [ -f "$log" ]; then
    tail -n 10 "$log" >&2
  fi
}

# ---- files ---------------------------------------------------------------------------------------------------------

# An old Linux can run the executable unless its C library is too old.
least_glibc=2.34

check_system() {
  glibc=$(getconf GNU_LIBC_VERSION 2>/dev/null) || return 0
  oldest=$(printf '%s\n' "${glibc#glibc }" "$least_glibc" | sort -V | head -n 1)
  [ "$oldest" = "$least_glibc" ] ||
    die "This Linux is too old: Institute needs glibc $least_glibc or newer, as in Debian 12 and Ubuntu 22.04. Nothing was changed."
}

# The key that the installed version was signed with.
kept_key=$root/opt/institute/release.pub
# The one that counts now; none: nothing here is signed.
key=${given_key:-$([ ! -f "$kept_key" ] || echo "$kept_key")}

# Whether files of a folder are what was signed; in a folder without a signature nothing is, and only a first install, or
# one of packages that were never signed, takes that.
check_signed() {
  folder=$1
  shift
  if [ ! -f "$folder/SHA256SUMS.sig" ]; then
    [ -z "$key" ] || [ "$unsigned" = yes ] ||
      die "What is in $folder is not signed: is it whole? If it is meant to be: --unsigned. Nothing was changed."
    return 0
  fi
  command -v openssl >/dev/null ||
    die 'This release is signed, which only openssl can check: apt-get install openssl. Nothing was changed.'
  key=${key:-$folder/release.pub}
  openssl pkeyutl -verify -pubin -inkey "$key" -rawin -in "$folder/SHA256SUMS" -sigfile "$folder/SHA256SUMS.sig" \
    >/dev/null 2>&1 || die "The signature in $folder is not good by the key $key. Nothing was changed."
  for name in "$@"; do
    signed=$(awk -v name="$name" '$2 == name { print $1 }' "$folder/SHA256SUMS")
    found=$(sha256sum <"$folder/$name")
    [ "${found%% *}" = "$signed" ] || die "$folder/$name is not what was signed. Nothing was changed."
  done
}

check_file() {
  check_system
  [ -f "$file" ] || die "There is no $file."
  # Before any of it runs.
  check_signed "$here" install.sh institute.service institute-settle.service institute-update.service \
    institute-update.path LICENSE-NOTICE
  [ ! -f "$here/update-keys.json" ] || check_signed "$here" update-keys.json
  check_signed "$(dirname -- "$file")" "$(basename -- "$file")"
  [ -x "$file" ] || die "$file may not be executed: chmod +x it."
  version=$(env -i "$file" version) || die "$file does not run on this machine."
}

# Gives a complete file its name, so that both outlive a power cut.
name_it() {
  sync -- "$1" && mv -f -- "$1" "$2" && sync -- "$(dirname "$2")"
}

# Copies a file; it gets its name only when it is complete.
lay() {
  if cp -- "$1" "$2.new" && chmod "$3" "$2.new" && name_it "$2.new" "$2"; then return 0; fi
  # On a full disk, what was copied of it is in everybody's way.
  rm -f -- "$2.new"
  return 1
}

# The next version must be signed with the same key.
keep_key() {
  if [ -z "$key" ] || [ "$key" = "$kept_key" ]; then return 0; fi
  lay "$key" "$kept_key" 644
  say "It is signed. Is this the SHA-256 that is published of the key? $(openssl pkey -pubin -in "$key" -outform DER | sha256sum | cut -c 1-64)"
}

lay_program() {
  mkdir -p "$(dirname "$program")" "$(dirname "$unit")" &&
    lay "$file" "$program" 755 &&
    lay "$here/LICENSE-NOTICE" "$(dirname "$program")/LICENSE-NOTICE" 644 &&
    lay "$here/institute.service" "$unit" 644
}

# What goes back from an upgrade at the next start of the system is there before anything else changes.
lay_settler() {
  mkdir -p "$(dirname "$program")" "$(dirname "$unit")" &&
    lay "$here/install.sh" "$settler" 755 &&
    lay "$here/institute-settle.service" "$settler_unit" 644 || return 1
  if has_systemd; then
    systemctl daemon-reload && systemctl enable --quiet institute-settle && sync -- "$unit.requires"
  fi
}

# What puts in the versions that the program fetches by itself, and the keys by which it knows them. A vendor who lets nobody
# fetch any lays none.
lay_updater() {
  lay "$here/institute-update.service" "$updater_unit.service" 644 &&
    lay "$here/institute-update.path" "$updater_unit.path" 644 || return 1
  [ ! -f "$here/update-keys.json" ] || lay "$here/update-keys.json" "$update_keys" 644 || return 1
  if has_systemd; then
    systemctl daemon-reload && systemctl enable --quiet --now institute-update.path && sync -- "$(dirname "$unit")"
  fi
}

lay_entry() {
  mkdir -p "$(dirname "$entry")"
  cat >"$entry.new" <<'END'
#!/bin/sh
# By default, commands work on the data directory of the service. Where this file lies says where that is: it may have been
# laid under another folder (install.sh --root).
root=$(cd -- "$(dirname -- "$(readlink -f -- "$0")")/../../.." && pwd)
root=${root%/}
export INSTITUTE_DATA_DIR="${INSTITUTE_DATA_DIR:-$root/var/lib/institute}"
if [ "${1:-}" = serve ] && [ -e "$root/opt/institute/trial" ]; then
  echo "An upgrade was broken off; nothing starts before it is settled: sh $root/opt/institute/install.sh${root:+ --root $root} settle" >&2
  exit 1
fi
exec "$root/opt/institute/institute" "$@"
END
  chmod 755 "$entry.new"
  name_it "$entry.new" "$entry"
}

# What shells complete and `man institute` shows; the program itself knows best what that is.
man_page=$root/usr/local/share/man/man8/institute.8
bash_completion=$root/usr/local/share/bash-completion/completions/institute
zsh_completion=$root/usr/local/share/zsh/site-functions/_institute
fish_completion=$root/usr/local/share/fish/vendor_completions.d/institute.fish

# Lays what a command of the program prints. A version that has no such command leaves what is there.
lay_output() {
  output=$1
  mkdir -p "$(dirname "$output")"
  shift
  if institute "$@" >"$output.new" 2>/dev/null; then mv -f "$output.new" "$output"; else rm -f "$output.new"; fi
}

lay_help() {
  lay_output "$man_page" man
  lay_output "$bash_completion" completion bash
  lay_output "$zsh_completion" completion zsh
  lay_output "$fish_completion" completion fish
}

# Settings of a former install stay as they are. Nobody but the program reads them: they may hold passwords.
lay_settings() {
  [ ! -e "$data/institute.conf" ] || return 0
  (
    umask 077
    lay_output "$data/institute.conf" settings
  )
  [ -n "$root" ] || [ ! -e "$data/institute.conf" ] || chown institute:institute "$data/institute.conf"
}

make_user() {
  getent passwd institute >/dev/null ||
    useradd --system --user-group --home-dir /var/lib/institute --no-create-home --shell /usr/sbin/nologin institute
}

# ---- commands ------------------------------------------------------------------------------------------------------

install_it() {
  check_file
  [ ! -e "$program" ] || die "It is installed already; to put another version in: install.sh upgrade $file"
  [ -n "$root" ] || make_user
  mkdir -p "$data"
  chmod 700 "$data"
  # Not recursive: files from an earlier install belong to its user already.
  [ -n "$root" ] || chown institute:institute "$data"
  lay_settler
  lay_program
  lay_updater
  lay_entry
  lay_help
  lay_settings
  keep_key
  say "Institute $version is installed; its data will be in $data, its settings in $data/institute.conf."
  if ! has_systemd; then
    say 'There is no systemd here: nothing was started, and nothing will be by itself. Start it with: institute serve'
    return
  fi
  systemctl daemon-reload
  systemctl enable --quiet institute
  start
  if ! wait_until_ready "$limit"; then
    show_log
    die 'It does not answer; its last words are above. More: journalctl --unit institute'
  fi
  if where=$(institute setup-token 2>&1 >/dev/null); then
    say "It is running. $where"
  else
    say 'It is running, with the data that was here.'
  fi
}

# Where this lies, another version is put in and has not answered yet. It is on the disk before the first file of that version,
# and holds the backup to go back to, once there is one.
trial=$root/opt/institute/trial
# Held while an upgrade runs, so that its own start of the service settles nothing. A power cut lets go of it.
lock=$root/run/institute.upgrade
settler=$root/opt/institute/install.sh
settler_unit=$root/etc/systemd/system/institute-settle.service
updater_unit=$root/etc/systemd/system/institute-update
update_keys=$root/opt/institute/update-keys.json
former=
backup=
# Whether the data can differ from the backup: what never ran has changed nothing, and on a full disk nothing can be put back.
has_run=no

# Whether nobody else upgrades.
take_lock() {
  mkdir -p "$(dirname "$lock")"
  exec 9>"$lock"
  flock -n 9
}

bytes_of() { wc -c <"$1"; }

# Whether there is room for what is kept of the installed version and what is laid of the new one, while the program still runs.
check_room() {
  needed=$((($(bytes_of "$program") + $(bytes_of "$file")) / 1048576 + 8))
  free=$(($(df -Pk "$(dirname "$program")" | awk 'NR == 2 { print $4 }') / 1024))
  [ "$free" -ge "$needed" ] ||
    die "There is no room left on the disk of $(dirname "$program"): it needs $needed MB, and has $free MB. Nothing was changed."
}

keep() {
  if cp -p -- "$1" "$1.kept" && name_it "$1.kept" "$1.former"; then return 0; fi
  rm -f -- "$1.kept"
  return 1
}

write_trial() {
  # Of a backup in the data directory its path from there: the disk may have come into another machine since.
  printf '%s\n' "${backup#"$data"/}" >"$trial.new" && name_it "$trial.new" "$trial"
}

end_trial() {
  rm -f -- "$trial" "$unit.former"
  sync -- "$(dirname "$trial")"
}

upgrade_it() {
  check_file
  [ -e "$program" ] || die 'It is not installed: install.sh install'
  take_lock || die 'Another upgrade is running. Nothing was changed.'
  [ ! -e "$trial" ] || settle_it
  if cmp -s "$file" "$program"; then
    say "This very version ($version) is installed already."
    return
  fi
  [ -z "$(setting INSTITUTE_TLS_CERT)" ] || command -v curl >/dev/null ||
    die 'HTTPS is on, and without curl nobody sees whether the new version answers: apt-get install curl. Nothing was changed.'
  if [ "$with_backup" = yes ] && [ -n "$(setting INSTITUTE_DATABASE_URL)" ]; then
    die 'The database is in Postgres: back it up with pg_dump, then upgrade --without-backup. Nothing was changed.'
  fi
  if ! has_systemd && answers; then
    die 'The institute is running, and there is no systemd here to stop it with: stop it first. Nothing was changed.'
  fi
  former=$(institute version)
  lay_settler || die 'What goes back after a power cut could not be put in its place. Nothing was changed.'
  lay_entry
  check_room
  { keep "$program" && keep "$unit" && write_trial; } ||
    die 'The version that is installed could not be kept. Nothing was changed.'
  trap 'go_back "The upgrade was interrupted."' HUP INT TERM
  stop || go_back 'The program could not be stopped.'
  # The backup comes after the stop, so that it contains every write.
  if [ "$with_backup" = yes ] && [ -e "$data/institute.db" ]; then
    backup=$(institute backup) || go_back 'No backup could be made.'
    write_trial || go_back "There is no room left on the disk of $(dirname "$trial")."
    say "Backed up to $backup"
  fi
  lay_program || go_back "Version $version could not be put in its place."
  has_run=yes
  start || true
  wait_until_ready "$limit" || go_back "Version $version does not answer."
  trap - HUP INT TERM
  end_trial
  # After it has answered: what it goes back to keeps its own.
  lay_updater || complain 'New versions are not put in by themselves: the units for that could not be laid.'
  lay_help
  keep_key
  say "Institute $version answers, in place of $former, which is kept as $program.former"
  if ! has_systemd; then
    stop
    say 'There is no systemd here: start it as you did before.'
  fi
}

# Puts the former version and its data in their places. It can be broken off at any point, and done again from the beginning.
put_back() {
  [ ! -f "$program.former" ] || name_it "$program.former" "$program"
  [ ! -f "$unit.former" ] || name_it "$unit.former" "$unit"
  [ -z "$backup" ] || [ "$has_run" = no ] || institute restore --yes "$backup" >&2 ||
    die "The data could not be brought back: institute restore $backup"
  end_trial
}

go_back() {
  trap '' HUP INT TERM
  show_log
  complain "$1 Going back to $former."
  stop || true
  put_back
  start || true
  # However short a time the new version was given: beyond this one there is none.
  if wait_until_ready $((limit > 60 ? limit : 60)); then
    complain "Version $former answers again${backup:+, with the data as it was}."
    if ! has_systemd; then stop; fi
    exit 1
  fi
  show_log
  stop || true
  die "Version $former does not answer either. The backup is ${backup:-your own}."
}

settle_it() {
  # Nobody knows how far it came.
  has_run=yes
  read -r backup <"$trial" || true
  case $backup in '' | /*) ;; *) backup=$data/$backup ;; esac
  put_back
  if has_systemd; then systemctl daemon-reload; fi
  say "An upgrade was broken off before the new version answered. Version $(institute version) is in its place again${backup:+, with the data as it was}."
}

uninstall_it() {
  [ -e "$program" ] || die 'It is not installed.'
  take_lock || die 'An upgrade is running. Nothing was changed.'
  if has_systemd; then
    systemctl disable --now --quiet institute institute-settle
    systemctl disable --now --quiet institute-update.path 2>/dev/null || true
  fi
  rm -f -- "$unit" "$settler_unit" "$settler" "$entry" "$program" "$program.former" "$(dirname "$program")/LICENSE-NOTICE"
  rm -f -- "$updater_unit.service" "$updater_unit.path" "$update_keys" "$(dirname "$program")/update-result.json"
  # Of an upgrade that was broken off.
  rm -f -- "$trial" "$unit.former"
  rm -f -- "$kept_key" "$man_page" "$bash_completion" "$zsh_completion" "$fish_completion"
  rmdir -- "$(dirname "$program")" 2>/dev/null || true
  if has_systemd; then systemctl daemon-reload; fi
  say "The program is gone. The data is kept in $data; to remove it too:"
  say "  rm -r $data$([ -n "$root" ] || echo ' && userdel institute')"
}

case $command in
help)
  usage
  exit 0
  ;;
install | upgrade | settle | uninstall) ;;
*) wrong_usage ;;
esac
[ -n "$root" ] || [ "$(id -u)" = 0 ] || die 'Run this as root.'
case $command in
install) install_it ;;
upgrade) upgrade_it ;;
settle)
  # Without a mark all is settled; while an upgrade runs it is not to be.
  if [ -e "$trial" ] && take_lock; then settle_it; fi
  ;;
uninstall) uninstall_it ;;
esac
