import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os'
import type { Config } from '#app/config/config.ts'
import { isInContainer } from './own-hosts.ts'

type Interfaces = Readonly<
  Record<string, readonly Pick<NetworkInterfaceInfo, 'address' | 'family' | 'internal'>[] | undefined>
>

/** Networks of containers and virtual machines on this machine, which no other machine is in. */
const VIRTUAL = /^(?:docker|br-|veth|virbr|podman|cni|lxc|lxd|vmnet|vboxnet)/

/** The addresses at which other machines of the network may reach this one. */
export const lanAddresses = (interfaces: Interfaces = networkInterfaces()): string[] =>
  Object.entries(interfaces).flatMap(([name, list = []]) =>
    list
      .filter(({ family, internal }) => family === 'IPv4' && !internal && !VIRTUAL.test(name))
      .map(({ address }) => address),
  )

const EVERYWHERE = new Set(['0.0.0.0', '::'])

/** Where other machines of the network may reach the server. */
export const lanUrls = (
  { host, port, tls }: Pick<Config, 'host' | 'port' | 'tls'>,
  interfaces: Interfaces,
  isThere: (file: string) => boolean,
): string[] => {
  if (isInContainer(isThere)) return []
  const there = lanAddresses(interfaces)
  const hosts = EVERYWHERE.has(host) ? there : there.filter((address) => address === host)
  return hosts.map((address) => `${tls ? 'https' : 'http'}://${address}:${port}`)
}
