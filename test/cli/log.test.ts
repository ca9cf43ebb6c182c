import { spawnSync } from 'node:child_process'
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from './folder.ts'
import { startProgram } from './institute.ts'

test('the log says who requested what with which result, and holds no password, token, cookie, body or query', async () => {
  const server = await startProgram(makeFolder(), { INSTITUTE_LOG_LEVEL: 'trace' })
  const [, setupToken = ''] = /#token=(\S+)/.exec(server.stderr) ?? []
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
  await send('GET', `/students?q=${encodeURIComponent(name)}`, bearer)
  await send('GET', '/students', { authorization: `Bearer ${key}`, cookie: `ims_refresh=${cookie}` })
  await send('POST', '/students', bearer, `{"firstName": "${name}"`)
  expect(await server.stop()).toBe(0)

  // The lines before the log are the greeting with the wizard's address.
  const lines = server.stderr.split('\n').filter((line) => line.startsWith('{'))
  const log = lines.join('\n')
  for (const secret of [...secrets, encodeURIComponent(name), accessToken]) expect(log).not.toContain(secret)
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
  // The journal says it already.
  expect(log).not.toMatch(/"(pid|hostname)"/)
})

test('in the system journal a line has its priority', () => {
  const file = path.join(makeFolder(), 'journal')
  const script = `
    import { openLog } from '${path.resolve('src/app/log.ts')}'
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
