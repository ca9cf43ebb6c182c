#!/usr/bin/env bash
# @homebridge/ciao 1.3.12 (npm), a multicast DNS responder, leaves out network cards on Linux that have a parent: VLANs, veth pairs,
# macvlan. It takes the names of cards from `ip -o link show`, where such a card is called `eth0.5@eth0` or `va@vb`, keeps all before
# the colon, and then finds no card of that name among os.networkInterfaces(). Nothing is said: the service is "advertised", on
# loopback alone, and no other machine finds it. A server whose office network is a VLAN, or which runs in a container (its eth0 is one
# end of a veth pair), has no name in the network. Expected: the group 224.0.0.251 is joined on every card that is up. Seen: on a card
# without a parent it is, on one with a parent it is not.
# Needs Linux with iproute2 and user namespaces (unshare -rn), in which it makes cards of its own.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @homebridge/ciao@1.3.12 >/dev/null 2>&1
cat >try.cjs <<'JS'
const { readFileSync } = require('node:fs')
const os = require('node:os')
const ciao = require('@homebridge/ciao')
const responder = ciao.getResponder()
const service = responder.createService({ name: 'Office', type: 'http', port: 8080, hostname: 'office' })
const joined = () => {
  let card
  const cards = []
  for (const line of readFileSync('/proc/net/igmp', 'utf8').split('\n').slice(1)) {
    const head = /^\d+\s+(\S+)/.exec(line)
    if (head) card = head[1]
    // 224.0.0.251, in the order of bytes of this file.
    if (line.includes('FB0000E0')) cards.push(card)
  }
  return cards
}
service.advertise().then(async () => {
  console.log('cards:', Object.keys(os.networkInterfaces()).join(' '), '| joined on:', joined().join(' '))
  const [plain, parent] = ['office0', 'office1'].map((name) => joined().includes(name))
  await responder.shutdown()
  process.exit(plain && !parent ? 0 : 1)
})
JS
echo "@homebridge/ciao $(node -p "require('./node_modules/@homebridge/ciao/package.json').version")"
unshare -rn sh -c '
  ip link set lo up
  ip link add office0 type bridge
  ip link add office1 type veth peer name far1
  ip addr add 10.9.0.1/24 dev office0
  ip addr add 10.9.1.1/24 dev office1
  for card in office0 office1 far1; do ip link set "$card" up; done
  node try.cjs
'
