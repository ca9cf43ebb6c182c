import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os'
import type { Config } from '#app/config/config.ts'
import type { Network } from '#ports/lan-name/port.ts'
import { isInContainer, type Machine } from './own-hosts.ts'

type Card = Pick<NetworkInterfaceInfo, 'address' | 'family' | 'internal'> & Partial<Pick<NetworkInterfaceInfo, 'cidr'>>
type Interfaces = Readonly<Record<string, readonly Card[] | undefined>>

/** Networks of containers and virtual machines on this machine, which no other machine is in. */
const VIRTUAL =
  /^(?:docker|br-|veth[0-9a-f]|virbr|podman|cni|lxc|lxd|vmnet|vboxnet|VirtualBox |VMware |Tailscale$|ZeroTier |vEthernet \((?:Default Switch|WSL|nat\)|HNS|Docker))/

/** The networks in which other machines may reach this one. */
const networks = (interfaces: Interfaces): Network[] =>
  Object.entries(interfaces).flatMap(([name, list = []]) =>
    list
      .filter(({ family, internal }) => family === 'IPv4' && !internal && !VIRTUAL.test(name))
      .map(({ address, cidr }) => ({
        address,
        cidr: cidr ?? `${address}/32`,
        // Others of the network reach it by those that need no card's name behind them.
        ipv6: list.filter((one) => one.family === 'IPv6' && !one.address.startsWith('fe80:')).map((one) => one.address),
      })),
  )

/** The addresses at which other machines of the network may reach this one. */
export const lanAddresses = (interfaces: Interfaces = networkInterfaces()): string[] =>
  networks(interfaces).map(({ address }) => address)

const EVERYWHERE = new Set(['0.0.0.0', '::'])

/** Where other machines of the network may reach the server. */
export const lanUrls = (
  { host, port, tls }: Pick<Config, 'host' | 'port' | 'tls'>,
  interfaces: Interfaces,
  isThere: (file: string) => boolean,
): string[] => {
  if (isInContainer(isThere)) return []
  return servedNetworks(host, interfaces).map(({ address }) => `${tls ? 'https' : 'http'}://${address}:${port}`)
}

/** The networks in which a server is reached that listens on this host. */
export const servedNetworks = (host: string, interfaces: Interfaces = networkInterfaces()): Network[] => {
  const there = networks(interfaces)
  return EVERYWHERE.has(host) ? there : there.filter(({ address }) => address === host)
}

/** This machine's addresses in those networks; in a container none, as its network is not the one that people are in. */
export const reachedAt = (host: string, machine: Pick<Machine, 'isInContainer'>): string[] =>
  machine.isInContainer() ? [] : servedNetworks(host).flatMap(({ address, ipv6 }) => [address, ...ipv6])
