import { once } from 'node:events'
import { createServer } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createDatabase, startPostgres, type Postgres } from '#kit/postgres.ts'
import { Trial } from './bad-day.ts'

const trial = Trial.ofFile()

const SERVE = ['serve', '--port', '0']

describe('a Postgres', () => {
  let postgres: Postgres
  let url: URL
  beforeAll(async () => {
    postgres = await startPostgres()
    url = new URL((await createDatabase(postgres.adminUrl)).url)
  })
  afterAll(() => postgres.stop())

  const REFUSED: [what: string, change: Partial<URL>, code: number, says: string][] = [
    [
      'that refuses the password',
      {},
      2,
      '{at} refuses the user or the password: correct them in INSTITUTE_DATABASE_URL (password authentication failed for user "postgres").',
    ],
    [
      'that has no such database',
      { pathname: '/nosuch' },
      2,
      '{at} has no such database: createdb there, or correct the name in INSTITUTE_DATABASE_URL (database "nosuch" does not exist).',
    ],
    [
      'that is not running',
      { port: '1' },
      1,
      '{at} does not answer (ECONNREFUSED). Is it running (systemctl status postgresql), and INSTITUTE_DATABASE_URL right?',
    ],
    [
      'on a machine that is not there',
      { hostname: 'no-such-machine.invalid' },
      2,
      '{at} is not to be found: no machine has that name. Correct INSTITUTE_DATABASE_URL.',
    ],
    [
      'that does not speak TLS',
      { search: '?sslmode=verify-full' },
      2,
      '{at} and this program do not agree about TLS (The server does not support SSL connections). Correct sslmode in INSTITUTE_DATABASE_URL.',
    ],
  ]

  test.each(REFUSED)('%s', async (what, change, code, says) => {
    const changed = Object.assign(new URL(url), what.includes('password') ? { password: 'a-secret-of-ours' } : change)
    const env = { INSTITUTE_DATABASE_URL: changed.href }
    const told = says.replace(
      '{at}',
      `Postgres at ${changed.hostname}:${changed.port}, database ${changed.pathname.slice(1)},`,
    )
    const dataDir = path.join(trial.emptyFolder(), 'data')
    expect(await trial.told(dataDir, SERVE, { env })).toEqual(trial.line(dataDir, code, told))
    expect(await trial.wrongIn(dataDir, { env })).toEqual([trial.finding(dataDir, 'database', told.replace(/\.$/, ''))])
  })

  test('that is too old', async () => {
    const env = { INSTITUTE_DATABASE_URL: `postgres://institute@127.0.0.1:${await oldPostgres()}/institute` }
    const says =
      'Postgres 14.11 is too old: bring it to version 15 or newer (pg_upgrade), or name another in INSTITUTE_DATABASE_URL'
    const dataDir = path.join(trial.emptyFolder(), 'data')
    expect(await trial.told(dataDir, SERVE, { env })).toEqual(trial.line(dataDir, 1, `${says}.`))
    expect(await trial.wrongIn(dataDir, { env })).toEqual([trial.finding(dataDir, 'database', says)])
  })
})

/** As much of a server of version 14 as says so: it lets everybody in, and answers every query with its version. */
const oldPostgres = async (): Promise<string> => {
  const message = (type: string, ...parts: Buffer[]): Buffer => {
    const body = Buffer.concat(parts)
    const head = Buffer.alloc(5, type)
    head.writeInt32BE(body.length + 4, 1)
    return Buffer.concat([head, body])
  }
  const int16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255])
  const int32 = (value: number): Buffer => Buffer.concat([int16(value >> 16), int16(value & 65_535)])
  const ready = message('Z', Buffer.from('I'))
  const version = Buffer.from('14.11')
  const column = Buffer.concat([
    Buffer.from('server_version\0'),
    int32(0),
    int16(0),
    int32(25),
    int16(-1 & 65_535),
    int32(-1),
    int16(0),
  ])
  const row = Buffer.concat([
    message('T', int16(1), column),
    message('D', int16(1), int32(version.length), version),
    message('C', Buffer.from('SHOW\0')),
    ready,
  ])
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', int32(0)), ready]))
      socket.on('data', (chunk) => void (chunk.toString('latin1', 0, 1) === 'Q' && socket.write(row)))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return String((server.address() as { port: number }).port)
}
