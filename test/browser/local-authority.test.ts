import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { isShown, press, type, until, visit } from '#kit/machines/driven.ts'
import { launchWebkit, whyNoTrust, whyNoWebkit } from '#kit/machines/webkit.ts'
import { emailOf, PASSWORD } from '#kit/sign-in.ts'

/** The console over HTTPS with a certificate of the server's own authority, in WebKit, the engine of every iPhone. */

const why = whyNoWebkit() ?? whyNoTrust()
if (why !== undefined) console.log(`WebKit and the local authority are skipped: ${why}`)

let app: TestApp
let institute: TestInstitute
let secure: string
beforeAll(async () => {
  // TLS knows no other clock than the machine's.
  app = await startApp({ config: NO_LIMITS, now: new Date().toISOString() })
  institute = await makeInstitute(app)
  await institute.owner.put('/server/https', { way: 'local', name: null, leads: false })
  secure = `https://127.0.0.1:${app.app.https.port}`
})
afterAll(() => app.close())

/** The root in the profile that the page has for iPhones. */
const rootOfProfile = async (): Promise<string> => {
  const profile = await (await fetch(`${app.url}/ca/root.mobileconfig`)).text()
  const [, data = ''] = /<data>([^<]+)<\/data>/.exec(profile) ?? []
  return new X509Certificate(Buffer.from(data, 'base64')).toString()
}

describe.skipIf(why !== undefined)('WebKit', () => {
  test('signs people in over HTTPS once it has the root, in a secure context', async () => {
    const browser = await launchWebkit({ root: await rootOfProfile(), waits: true })
    onTestFinished(() => browser.close())
    await visit(browser, `${secure}/sign-in`)
    await type(browser, 'input[type=email]', emailOf(institute.ownerUserId))
    await type(browser, 'input[type=password]', PASSWORD)
    await press(browser, 'button[type=submit]')
    await until(browser, `location.pathname === '/' && ${isShown('nav')}`)
    expect(await browser.evaluate('[location.protocol, window.isSecureContext]')).toEqual(['https:', true])
  })

  test('shows nothing of it without the root, and all of it without HTTPS', async () => {
    const browser = await launchWebkit({ waits: true })
    onTestFinished(() => browser.close())
    await browser.open(`${secure}/sign-in`)
    expect(await browser.evaluate('[location.href, document.querySelector("input")]')).toEqual(['about:blank', null])
    await visit(browser, `${app.url}/sign-in`)
    await until(browser, isShown('input[type=password]'))
  })
})
