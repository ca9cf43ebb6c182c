import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { launchBrowser } from '#kit/browser.ts'
import { freePort } from '#kit/free-port.ts'
import { makeInstitute } from '#kit/institute.ts'
import { codeIn, exchange, joinInstitute, newVerifier, register } from '#kit/oauth.ts'
import { emailOf, PASSWORD } from '#kit/sign-in.ts'
import { examine, expectFaults, headingHasFocus, LANGUAGES, newPage } from './screens.ts'

let browser: Browser
let app: TestApp
let page: Page
let assistant: Server
let callback: string

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())
beforeEach(async () => {
  const port = await freePort()
  // The browser has its own clock.
  app = await startApp({ now: new Date().toISOString(), config: { port, baseUrl: `http://127.0.0.1:${port}` } })
  assistant = createServer((_, response) => response.end('back in the assistant')).listen(0, '127.0.0.1')
  await once(assistant, 'listening')
  callback = `http://127.0.0.1:${(assistant.address() as AddressInfo).port}/callback`
})
afterEach(async () => {
  await page.close()
  assistant.closeAllConnections()
  assistant.close()
  await app.close()
})

const shown = (id: string) => page.waitForSelector(`#${id}:not([hidden])`)
const signIn = async (email: string, password = PASSWORD) => {
  await page.fill('#email', email)
  await page.fill('#password', password)
  await page.click('button[type=submit]')
}
const { verifier, codeChallenge } = newVerifier()
const request = (clientId: string, more: Record<string, string> = {}) =>
  `${app.url}/oauth/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: callback,
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
    state: 'kept',
    scope: 'mcp',
    resource: `${app.url}/mcp`,
    ...more,
  }).toString()}`

const newClient = async (name: string): Promise<string> =>
  (await register(app, { client_name: name, redirect_uris: [callback, 'org.example.helper-app://back'] })).body
    .client_id

/** Whatever the page keeps in the browser beside the cookie of the sign-in. */
const stored = () => page.evaluate<number>('localStorage.length + sessionStorage.length')

describe.each(LANGUAGES)('an assistant asks, in $locale', ({ locale, name }) => {
  const look = (state: string) => examine(page, locale, `authorize-${locale}-${state}`)

  test('a member of two institutes signs in, chooses, and lets it in', async () => {
    const first = await makeInstitute(app, { features: { mcp: true } })
    const second = await makeInstitute(app, { features: { mcp: true } })
    const closed = await makeInstitute(app)
    await app.app.database.write(async (db) => {
      const rename = (id: string, to: string) =>
        db.updateTable('tenant').set({ name: to }).where('id', '=', id).execute()
      await rename(first.tenant.id, name)
      await rename(second.tenant.id, `${name} 2`)
      await rename(closed.tenant.id, `${name} 3`)
    })
    const { userId } = await first.member({ role: 'owner' })
    await joinInstitute(app, second, { userId, permissions: ['attendance.mark', 'mcp.access'] })
    await joinInstitute(app, closed, { userId, permissions: ['students.read', 'mcp.access'] })
    const clientId = await newClient('Helper')

    page = await newPage(browser, locale)
    await page.goto(request(clientId))
    await shown('sign-in')
    await look('sign-in')
    await page.click('button[type=submit]')
    await expectFaults(page, ['email', 'password'])
    await signIn(emailOf(userId))
    await shown('ask')
    expect(await headingHasFocus(page)).toBe(true)
    expect(await page.textContent('#client-name')).toBe('Helper')
    expect(await page.isVisible('#unverified')).toBe(true)
    await expect.poll(() => page.locator('#institutes input').count()).toBe(3)
    await expect.poll(() => page.locator('#institutes input:disabled').count()).toBe(1)
    const all = await page.locator('#can li').count()
    await look('ask')
    await page.locator('#institutes label').nth(1).click()
    await expect.poll(() => page.locator('#can li').count()).toBe(2)
    expect(all).toBeGreaterThan(9)
    expect(await stored()).toBe(0)

    await page.click('button[type=submit]')
    await page.waitForURL(`${callback}**`)
    const answer = new URL(page.url()).searchParams
    expect([answer.get('state'), answer.get('iss')]).toEqual(['kept', app.url])
    const tokens = await exchange(app, { clientId, verifier, code: codeIn(page.url()) }, { redirect_uri: callback })
    expect(tokens.status).toBe(200)
    const claims = JSON.parse(Buffer.from(tokens.body.access_token.split('.')[1], 'base64url').toString())
    expect(claims.tid).toBe(second.tenant.id)

    // The cookie of the sign-in is enough now. Another client is refused.
    await page.goto(request(clientId))
    await shown('ask')
    await page.click('button[value=refuse]')
    await page.waitForURL(`${callback}**`)
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied')
  })

  test('a member of one institute has nothing to choose; one without the right is told so', async () => {
    const institute = await makeInstitute(app, { features: { mcp: true } })
    const { userId } = await institute.member({ permissions: ['students.read', 'mcp.access'] })
    const without = await institute.member({ role: 'teacher' })
    const clientId = await newClient('مساعد العائلة')
    page = await newPage(browser, locale)
    await page.goto(request(clientId, { redirect_uri: 'org.example.helper-app://back' }))
    await shown('sign-in')
    await signIn(emailOf(userId))
    await shown('ask')
    expect(await page.isVisible('#institutes')).toBe(false)
    await look('one')
    await page.locator('#ask').getByRole('button').last().click()
    await shown('sign-in')
    await signIn(emailOf(without.userId))
    await shown('nowhere')
    await look('nowhere')
  })

  test('what cannot be granted is said in words, and goes back only where the client may be', async () => {
    const institute = await makeInstitute(app, { features: { mcp: true } })
    const { userId } = await institute.member({ role: 'owner' })
    const clientId = await newClient('Helper')
    page = await newPage(browser, locale)
    await page.goto(request(clientId, { code_challenge_method: 'plain' }))
    await shown('sign-in')
    await signIn(emailOf(userId))
    await shown('faulty')
    await look('faulty')
    await page.click('button[type=submit]')
    await page.waitForURL(`${callback}**`)
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      error: 'invalid_request',
      state: 'kept',
      iss: app.url,
    })
    await page.goto(request(clientId, { resource: 'https://elsewhere.example.org/mcp' }))
    await shown('faulty')
    await page.goto(request(clientId, { redirect_uri: `${callback}/` }))
    await shown('invalid')
    await look('invalid')
    await page.goto(request('https://nobody.example.org/client.json'))
    await shown('invalid')
  })
})
