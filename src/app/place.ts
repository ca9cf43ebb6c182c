import { existsSync } from 'node:fs'
import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os'
import path from 'node:path'
import { isSea } from 'node:sea'
import type { Place } from '#modules/setup/index.ts'
import { BACKUPS } from './backup/layout.ts'
import { makesNightly, type Config } from './config.ts'

/** The paths of an install by install.sh, whose command `institute` uses this data directory. */
const INSTALLED = { program: '/opt/institute/institute', dataDir: '/var/lib/institute' }
/** There while systemd runs the machine. */
const SYSTEMD = '/run/systemd/system'
const UNIT = '/etc/systemd/system/institute.service'
const CHECKOUT = path.resolve(import.meta.dirname, '../..')

/** Quotes a word for a shell where necessary. */
const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)

/** The full command line, on this machine, of a command that uses this data directory. */
export const commandLine =
  ({ dataDir }: Pick<Config, 'dataDir'>, isExecutable: boolean, program = process.execPath) =>
  (words: string): string => {
    if (isExecutable && program === INSTALLED.program && dataDir === INSTALLED.dataDir) return `institute ${words}`
    const on = `${words} --data-dir ${quoted(dataDir)}`
    if (isExecutable) return `${quoted(program)} ${on}`
    return `npm run institute -- ${dataDir === path.join(CHECKOUT, 'data') ? words : on}`
  }

/** Whether the institute of this data directory is the service that install.sh made, where systemd runs the machine. */
export const isService = (
  { dataDir }: Pick<Config, 'dataDir'>,
  isThere: (file: string) => boolean = existsSync,
): boolean => dataDir === INSTALLED.dataDir && isThere(SYSTEMD) && isThere(UNIT)

/** What to type on this machine to start the program. */
export const startCommand = (config: Pick<Config, 'dataDir'>): string =>
  isService(config) ? 'sudo systemctl start institute' : commandLine(config, isSea())('serve')

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

/** There in a container, whose own addresses nobody outside of its machine can reach. */
const IN_CONTAINER = ['/.dockerenv', '/run/.containerenv']

const EVERYWHERE = new Set(['0.0.0.0', '::'])

/** Where other machines of the network may reach the server. */
export const lanUrls = (
  { host, port, tls }: Pick<Config, 'host' | 'port' | 'tls'>,
  interfaces: Interfaces,
  isThere: (file: string) => boolean,
): string[] => {
  if (IN_CONTAINER.some(isThere)) return []
  const there = lanAddresses(interfaces)
  const hosts = EVERYWHERE.has(host) ? there : there.filter((address) => address === host)
  return hosts.map((address) => `${tls ? 'https' : 'http'}://${address}:${port}`)
}

/** The paths and commands that the owner is shown. */
export const placeOf = (config: Config): Place => ({
  dataDir: config.dataDir,
  backups: path.join(config.dataDir, BACKUPS),
  makesNightly: makesNightly(config),
  database: config.databaseUrl === undefined ? 'sqlite' : 'postgres',
  commandLine: commandLine(config, isSea()),
  signInUrl: config.signInUrl,
  addresses: () => lanUrls(config, networkInterfaces(), existsSync),
})
