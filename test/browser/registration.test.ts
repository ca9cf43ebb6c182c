import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { launchBrowser } from '#kit/browser.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'

/** Pages of other origins than the server's, in a real browser, which enforces CORS. */

let browser: Browser
let app: TestApp
let institute: TestInstitute
const sites: Server[] = []

/** Serves an empty page on its own origin. @returns the origin */
const openSite = async (): Promise<string> => {
  const site = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<!doctype html>'))
  sites.push(site)
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}`
}

beforeAll(async () => {
  browser = await launchBrowser()
  app = await startApp()
  institute = await makeInstitute(app)
})
afterAll(async () => {
  await browser.close()
  for (const site of sites) site.close()
  await app.close()
})

const registration = {
  firstName: 'ليان',
  lastName: 'حداد',
  guardian: { firstName: 'Hala', lastName: 'Haddad', phone: '+972501234567' },
}

/** What a page's script gets: the reply, or the browser's refusal. */
const scripted = async (origin: string, key: string, body: object) => {
  const page = await browser.newPage()
  try {
    await page.goto(origin)
    const request = {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': crypto.randomUUID(),
      },
      body: JSON.stringify(body),
    }
    return await page.evaluate<{ status?: number; body?: unknown; remaining?: string | null; error?: string }>(
      `fetch(${JSON.stringify(`${app.url}/api/v1/public/registrations`)}, ${JSON.stringify(request)}).then(
        async (reply) => ({
          status: reply.status,
          body: await reply.json(),
          remaining: reply.headers.get('ratelimit-remaining'),
        }),
        (error) => ({ error: error.name }),
      )`,
    )
  } finally {
    await page.close()
  }
}

test('the institute’s website registers a student and reads the reply; another website cannot', async () => {
  const [website, other] = [await openSite(), await openSite()]
  const { body } = await institute.owner.post('/api-keys', {
    name: 'Website',
    kind: 'publishable',
    allowedOrigins: [website],
  })
  expect(await scripted(other, body.key, registration)).toEqual({ error: 'TypeError' })
  expect((await institute.owner.get('/leads')).body.data).toEqual([])
  const made = await scripted(website, body.key, registration)
  expect(made).toEqual({
    status: 201,
    body: { leadId: expect.any(String), studentId: expect.any(String) },
    remaining: '29',
  })
  expect((await institute.owner.get('/leads')).body.data).toMatchObject([{ firstName: 'ليان', source: 'widget' }])
  expect(await scripted(website, body.key, {})).toMatchObject({ status: 422 })
  await institute.owner.delete(`/api-keys/${body.id}`)
  expect(await scripted(website, body.key, registration)).toEqual({ error: 'TypeError' })
})
