import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/basics/ids.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute } from '#kit/institute.ts'
import { newSetup, setupTokenIn } from '#kit/setup.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const FOR_PEOPLE = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

describe('the page of an unknown address', () => {
  const NAME = 'מכון <האור> & Sons'
  const headers = { accept: FOR_PEOPLE }

  test.each([
    ['en', 'Go to the start page'],
    ['he', 'לדף הבית'],
    ['ar', 'إلى الصفحة الرئيسية'],
  ])('leads to the start, in %s', async (language, label) => {
    const page = await fetch(`${app.url}/no/such/page`, { headers: { ...headers, 'accept-language': language } })
    expect(await page.text()).toContain(`<a href="/">${label}</a>`)
    expect((await fetch(app.url, { redirect: 'manual' })).status).toBe(302)
  })

  test('has the name of the server’s institute, once there is one', async () => {
    const fresh = await startApp()
    try {
      const page = async () => (await fetch(`${fresh.url}/no/such/page`, { headers })).text()
      expect(await page()).toContain('<bdi lang="en">Institute</bdi>')
      await fresh.post('/setup/bootstrap', newSetup(setupTokenIn(fresh.dataDir), { institute: { name: NAME } }))
      expect(await page()).toContain('<bdi>מכון &lt;האור&gt; &amp; Sons</bdi>')
      expect(await page()).not.toContain('<האור>')
    } finally {
      await fresh.close()
    }
  })

  test('has, of many institutes, the name of the one whose address it is', async () => {
    const cloud = await startApp({ config: { mode: 'cloud', trustedProxies: 1 } })
    try {
      const { tenant } = await makeInstitute(cloud)
      await makeInstitute(cloud)
      const domain = {
        id: newId(),
        domain: 'school.example.org',
        kind: 'custom',
        verification_token: 'token',
        is_primary: true,
        verified_at: cloud.clock.now(),
        created_at: cloud.clock.now(),
        updated_at: cloud.clock.now(),
      }
      await cloud.app.database.write((db) =>
        db
          .insertInto('tenant_domain')
          .values({ ...domain, tenant_id: tenant.id } as never)
          .execute(),
      )
      const page = async (host: string) =>
        (await fetch(`${cloud.url}/no/such/page`, { headers: { ...headers, 'x-forwarded-host': host } })).text()
      expect(await page('School.Example.org')).toContain(`<bdi>${tenant.name}</bdi>`)
      expect(await page('other.example.org')).toContain('<bdi lang="en">Institute</bdi>')
    } finally {
      await cloud.close()
    }
  })
})
