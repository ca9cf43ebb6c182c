import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from './free-port.ts'
import { answers, ended, openStore, type TestStore } from './s3.ts'

/** OpenStack Swift of Debian, which speaks S3 as strictly as Amazon does: five processes. */
const PACKAGES = ['swift-proxy', 'swift-account', 'swift-container', 'swift-object', 'memcached']
const KINDS = ['account', 'container', 'object'] as const

const hasSwift = (): boolean => existsSync('/usr/bin/swift-proxy-server') && existsSync('/usr/bin/memcached')

/** Installs it where that is possible. @returns why there is none; undefined: there is */
export const whyNoSwift = (): string | undefined => {
  if (hasSwift()) return undefined
  if (process.getuid?.() !== 0) return 'only root can install swift'
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    for (const command of [['update'], ['install', '--yes', '--no-install-recommends', ...PACKAGES]]) {
      execFileSync('apt-get', command, { env, stdio: 'ignore', timeout: 300_000 })
    }
  } catch {
    return 'apt-get cannot install swift'
  }
  return hasSwift() ? undefined : 'apt-get installed no swift'
}

const filter = (name: string, egg = name, more = ''): string => `[filter:${name}]\nuse = egg:swift#${egg}\n${more}\n`

const FILTERS = ['catch_errors', 'gatekeeper', 'healthcheck', 'listing_formats', 'bulk', 'slo', 'dlo', 'copy']

const proxyConfig = (etc: string, port: number, memcached: number): string => `[DEFAULT]
swift_dir = ${etc}
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = root
[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache listing_formats bulk s3api tempauth slo dlo copy proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
${FILTERS.map((name) => filter(name)).join('')}
${filter('cache', 'memcache', `memcache_servers = 127.0.0.1:${memcached}`)}
${filter('s3api', 's3api', 'location = us-east-1\ns3_acl = false\ndns_compliant_bucket_names = no')}
${filter('tempauth', 'tempauth', 'user_test_tester = testing .admin')}
`

const backConfig = (root: string, kind: string, port: number): string => `[DEFAULT]
swift_dir = ${root}/etc
devices = ${root}/srv
mount_check = false
disable_fallocate = true
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = root
[pipeline:main]
pipeline = ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind}
`

/** Starts it with a new bucket. */
export const startSwift = async (): Promise<TestStore> => {
  const root = mkdtempSync(path.join(tmpdir(), 'institute-swift-'))
  const etc = path.join(root, 'etc')
  for (const name of ['etc', 'srv/d1']) mkdirSync(path.join(root, name), { recursive: true })
  const policy = '[storage-policy:0]\nname = gold\ndefault = yes\n'
  writeFileSync(
    path.join(etc, 'swift.conf'),
    `[swift-hash]\nswift_hash_path_suffix = a\nswift_hash_path_prefix = b\n${policy}`,
  )
  const children: ChildProcess[] = []
  const run = (command: string, ...given: string[]): void => {
    const env = { ...process.env, SWIFT_CONF_FILE: path.join(etc, 'swift.conf') }
    children.push(spawn(command, given, { stdio: 'ignore', env }))
  }
  const [memcached, port] = [await freePort(), await freePort()]
  run('memcached', '-u', 'root', '-l', '127.0.0.1', '-p', String(memcached))
  for (const kind of KINDS) {
    const back = await freePort()
    const ring = (...given: string[]): void =>
      void execFileSync('swift-ring-builder', [path.join(etc, `${kind}.builder`), ...given], { stdio: 'ignore' })
    ring('create', '4', '1', '1')
    ring('add', `r1z1-127.0.0.1:${back}/d1`, '1')
    ring('rebalance')
    const config = path.join(etc, `${kind}-server.conf`)
    writeFileSync(config, backConfig(root, kind, back))
    run(`swift-${kind}-server`, config)
  }
  const config = path.join(etc, 'proxy-server.conf')
  writeFileSync(config, proxyConfig(etc, port, memcached))
  run('swift-proxy-server', config)
  await answers(port, 60)
  return openStore({
    port,
    keyId: 'test:tester',
    secret: 'testing',
    end: async () => {
      for (const child of children) await ended(child)
      rmSync(root, { recursive: true, force: true })
    },
  })
}
