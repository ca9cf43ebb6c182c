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
    expect.objectContaining({ method: 'POST', path: '/api/v1/auth/login', status: 401, requestId: expect.any(String) }),
  )
})
