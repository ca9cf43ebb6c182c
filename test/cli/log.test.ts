import { spawn, spawnSync, type ChildProcess, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, fstatSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { freePort } from '#kit/free-port.ts'
import { setupTokenIn } from '#kit/setup.ts'
import { isRoot } from '../binary/program.ts'
import { makeFolder } from './folder.ts'
import { startProgram } from './institute.ts'
import { mountSmallDisk } from './small-disk.ts'

test('the log says who requested what with which result, and holds no password, token, cookie, body or query', async () => {
  const dataDir = makeFolder()
  const server = await startProgram(dataDir, { INSTITUTE_LOG_LEVEL: 'trace', INSTITUTE_UNKNOWN: 'x' })
  const setupToken = setupTokenIn(dataDir)
  const send = (method: string, where: string, headers: Record<string, string>, body?: string) =>
    fetch(`${server.url}/api/v1${where}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body }),
    })
  const secrets = [
    'a password of mine',
    'not-the-password',
    'a name to search for',
    'odd cookie',
    'ims_sk_made_up',
    setupToken,
  ]
  const [password, wrong, name, cookie, key] = secrets as [string, string, string, string, string]
  const owner = { email: 'owner@example.org', password, firstName: 'Noor', lastName: 'Haddad' }
  const institute = { slug: 'log', name: 'Log', defaultLocale: 'en', timezone: 'Asia/Jerusalem', currency: 'ILS' }
  const reply = await send('POST', '/setup/bootstrap', {}, JSON.stringify({ setupToken, institute, owner }))
  const { accessToken } = (await reply.json()) as { accessToken: string }
  const bearer = { authorization: `Bearer ${accessToken}` }
  await send('POST', '/auth/login', {}, JSON.stringify({ email: owner.email, password: wrong }))
  const [{ tenantId }] = (await (await send('GET', '/branches', bearer)).json()) as [{ tenantId: string }]
  await send('GET', `/students?q=${encodeURIComponent(name)}`, bearer)
  await send('GET', '/students', { authorization: `Bearer ${key}`, cookie: `ims_refresh=${cookie}` })
  await send('POST', '/students', bearer, `{"firstName": "${name}"`)
  const { url: calendar } = (await (await send('POST', '/me/calendar', bearer)).json()) as { url: string }
  const { pathname } = new URL(calendar)
  for (const method of ['GET', 'HEAD', 'POST']) await fetch(server.url + pathname, { method })
  await fetch(server.url + pathname.replace('calendar', 'Calendar'))
  expect(await server.stop()).toBe(0)

  const log = server.stderr.trimEnd()
  const lines = log.split('\n')
  for (const secret of [...secrets, encodeURIComponent(name), accessToken, path.basename(pathname, '.ics')])
    expect(log).not.toContain(secret)
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      method: 'POST',
      path: '/api/v1/auth/login',
      status: 401,
      requestId: expect.any(String),
    }),
  )
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ path: '/api/v1/students', status: 200, tenantId }),
  )
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  expect(lines.map((line) => JSON.parse(line))).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        msg: 'started',
        version,
        engine: 'sqlite',
        mode: 'self_hosted',
        node: process.version,
        addresses: expect.arrayContaining([server.url]),
      }),
      expect.objectContaining({
        level: 'info',
        tokenFile: path.join(dataDir, 'setup-token'),
        msg: expect.stringContaining('institute setup-token'),
      }),
      expect.objectContaining({
        level: 'warn',
        msg: 'INSTITUTE_UNKNOWN is no setting of this program; it is ignored.',
      }),
    ]),
  )
  // The journal says it already.
  expect(log).not.toMatch(/"(pid|hostname)"/)
})

test.skipIf(!existsSync('/usr/bin/script'))(
  'on a terminal people read the wizard’s address with its token',
  async () => {
    const dataDir = makeFolder()
    const command = `'${process.execPath}' '${inject('program')}' serve --port 0 --data-dir '${dataDir}'`
    const terminal = spawn('/usr/bin/script', ['--quiet', '--flush', '--command', command, '/dev/null'])
    onTestFinished(() => void terminal.kill('SIGKILL'))
    let shown = ''
    terminal.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()))
    await expect.poll(() => shown, { timeout: 20_000 }).toMatch(/^ {2}http:\/\/localhost:\d+\/setup\/#token=\S+\s*$/m)
    expect(shown).toContain(`#token=${setupTokenIn(dataDir)}`)
    expect(shown).not.toMatch(/^\{/m)
    // Its own end of the terminal is gone.
    terminal.kill('SIGTERM')
    await once(terminal, 'close')
  },
)

test('what a page is made of is logged at debug, and the page itself at info', async () => {
  const server = await startProgram(makeFolder(), { INSTITUTE_LOG_LEVEL: 'debug' })
  const get = (where: string) => fetch(server.url + where)
  const etag = (await get('/setup/assets/style/base.css')).headers.get('etag') ?? ''
  await fetch(`${server.url}/setup/`, { headers: { 'if-none-match': etag } })
  await fetch(`${server.url}/setup/assets/style/base.css`, { headers: { 'if-none-match': etag } })
  for (const where of ['/setup/assets/mark.svg', '/setup/assets/lib/weak-passwords.js', '/setup/assets/none.png'])
    await get(where)
  await get('/api/v1/setup/status')
  expect(await server.stop()).toBe(0)
  const requests = server.stderr
    .split('\n')
    .filter((line) => line.startsWith('{') && line.includes('"msg":"request"'))
    .map((line) => JSON.parse(line) as { level: string; path: string; status: number })
    .map(({ level, path: where, status }) => `${level} ${status} ${where}`)
  expect(requests).toEqual([
    'debug 200 /setup/assets/style/base.css',
    'info 200 /setup/',
    'debug 304 /setup/assets/style/base.css',
    'debug 200 /setup/assets/mark.svg',
    'debug 200 /setup/assets/lib/weak-passwords.js',
    'info 404 /setup/assets/none.png',
    'info 200 /api/v1/setup/status',
  ])
})

test('in the system journal a line has its priority', () => {
  const file = path.join(makeFolder(), 'journal')
  const script = `
    import { openLog } from '${path.resolve('src/app/process/log.ts')}'
    const log = openLog({ logLevel: 'debug' })
    for (const level of ['fatal', 'error', 'warn', 'info', 'debug']) log[level]('a line')`
  const linesWith = (journal: (stat: { dev: number; ino: number }) => string): string[] => {
    const written = openSync(file, 'w')
    const env = { JOURNAL_STREAM: journal(fstatSync(written)) }
    spawnSync(process.execPath, ['--input-type=module', '-e', script], { env, stdio: ['ignore', 'ignore', written] })
    closeSync(written)
    return readFileSync(file, 'utf8').trimEnd().split('\n')
  }
  const inJournal = linesWith(({ dev, ino }) => `${dev}:${ino}`)
  expect(inJournal.map((line) => line.slice(0, 12))).toEqual([
    '<2>{"level":',
    '<3>{"level":',
    '<4>{"level":',
    '<6>{"level":',
    '<7>{"level":',
  ])
  // Somebody sent standard error elsewhere.
  expect(linesWith(() => '1:1').map((line) => JSON.parse(line).level)).toEqual([
    'fatal',
    'error',
    'warn',
    'info',
    'debug',
  ])
})

describe('a log that cannot be written', () => {
  /** A program whose standard error leads there. */
  const start = async (stderr: 'pipe' | number) => {
    const port = await freePort()
    const stdio: StdioOptions = ['ignore', 'ignore', stderr]
    const args = [inject('program'), 'serve', '--port', String(port), '--data-dir', makeFolder()]
    const child: ChildProcess = spawn(process.execPath, args, { env: {}, stdio })
    onTestFinished(() => void child.kill('SIGKILL'))
    const get = (where: string) => fetch(`http://127.0.0.1:${port}${where}`)
    const isReady = () =>
      get('/api/v1/health/ready').then(
        ({ status }) => status,
        () => 0,
      )
    await expect.poll(isReady, { timeout: 30_000 }).toBe(200)
    const lost = async () => {
      const [, count] = /^institute_log_lines_lost_total (\d+)$/m.exec(await (await get('/metrics')).text()) ?? []
      return Number(count)
    }
    const stop = async () => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      return (await ended)[0] as number
    }
    return { child, get, lost, stop }
  }
  const REQUESTS = 100

  test(
    'for the disk is full does not end the program, which says later what is missing',
    { timeout: 60_000 },
    async ({ skip }) => {
      skip(!isRoot, 'only root can mount a small disk')
      const disk = mountSmallDisk(1)
      const [file, ballast] = [path.join(disk, 'log'), path.join(disk, 'ballast')]
      const written = openSync(file, 'a')
      const { get, lost, stop } = await start(written)
      closeSync(written)
      expect(() => writeFileSync(ballast, Buffer.alloc(2 * 1024 * 1024))).toThrow('ENOSPC')
      for (let sent = 0; sent < REQUESTS; sent += 1) expect((await get('/api/v1/health/live')).status).toBe(200)
      const missing = await lost()
      // The last page of the file had room for some.
      expect(missing).toBeGreaterThan(REQUESTS / 2)
      rmSync(ballast)
      expect((await get('/api/v1/health/live')).status).toBe(200)
      expect(await stop()).toBe(0)
      const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
      const notices = lines.filter((line) => line.includes('could not be written')).map((line) => JSON.parse(line))
      expect(notices).toEqual([
        {
          level: 'warn',
          time: expect.any(String),
          lost: expect.any(Number),
          reason: 'ENOSPC',
          msg: expect.any(String),
        },
      ])
      // The line of the request for the metrics came before there was room, or after.
      expect([missing, missing + 1]).toContain(notices[0].lost)
      expect(JSON.parse(lines.at(-1) as string)).toMatchObject({ msg: 'stopping' })
    },
  )

  test('for nobody reads it any more does not end the program', { timeout: 60_000 }, async () => {
    const { child, get, lost, stop } = await start('pipe')
    child.stderr?.destroy()
    for (let sent = 0; sent < REQUESTS; sent += 1) expect((await get('/api/v1/health/live')).status).toBe(200)
    expect(await lost()).toBeGreaterThan(REQUESTS / 2)
    expect(await stop()).toBe(0)
  })
})
