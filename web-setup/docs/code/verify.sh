#!/bin/sh
# verify.sh SECRET SIGNATURE BODY_FILE [NOW_SECONDS]
# SECRET: whsec_ included. SIGNATURE: the header X-Service-Signature. BODY_FILE: the bytes of the request.
# Exits 0 when the delivery is genuine. (The secret is seen in the list of processes: for trying things out.)
secret=$1 signature=$2 body=$3 now=${4:-$(date +%s)}

time=$(printf '%s' "$signature" | tr ',' '\n' | sed -n 's/^t=\([0-9]\{1,\}\)$/\1/p' | head -n 1)
[ -n "$time" ] || exit 1
age=$((now - time))
[ "$age" -le 300 ] && [ "$age" -ge -300 ] || exit 1

expected=$({ printf '%s.' "$time"; cat "$body"; } | openssl dgst -sha256 -hmac "$secret" | sed 's/^.* //')
printf '%s' "$signature" | tr ',' '\n' | grep -qx "v1=$expected"
