import type { CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestMember } from '#kit/institute.ts'
import { linkAccount } from '#kit/link-account.ts'
import { startPushService } from '#kit/push-service.ts'
import { PASSWORD } from '#kit/sign-in.ts'
import { loadWords } from '../../../src/console/words/index.ts'
import { examine, LANGUAGES } from '../screens.ts'
import { emailOf, openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

/** A mother has the messages of the school come to her phone. */

let school: School
let mother: TestMember
let service: Awaited<ReturnType<typeof startPushService>>
const { open, expectCalm } = watched(() => school)
const { account, own, shell, signIn } = await loadWords.en()

beforeAll(async () => {
  school = await openSchool('en')
  mother = await school.member('guardian')
  await linkAccount(school.app, 'guardian', { id: school.guardianId, userId: mother.userId })
  service = await startPushService(() => school.app.clock.millis())
})
afterAll(async () => {
  await school.app.close()
  service.close()
})

/** The browser of the tests has no push service of its own: its subscription is one of the test’s, and the rest is real. */
const withPushService = async (page: Page): Promise<void> => {
  const { applicationServerKey } = (await mother.get('/me/push-key')).body
  const { endpoint, keys } = service.subscribe(applicationServerKey)
  await page.addInitScript(`{
    const key = '${applicationServerKey}'
    const bytes = Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0))
    const subscription = {
      options: { applicationServerKey: bytes.buffer },
      toJSON: () => (${JSON.stringify({ endpoint, keys })}),
      unsubscribe: async () => (localStorage.removeItem('test.subscribed'), true),
    }
    Object.assign(PushManager.prototype, {
      getSubscription: async () => localStorage.getItem('test.subscribed') === null ? null : subscription,
      subscribe: async (options) => {
        if (options.applicationServerKey !== key || !options.userVisibleOnly) throw new Error('not as it should be')
        localStorage.setItem('test.subscribed', '1')
        return subscription
      },
    })
  }`)
}

/** Hands a message over to the service worker, as the browser does when its push service has one. */
const delivered = async (page: Page, browser: CDPSession, message: unknown): Promise<void> => {
  const registrationId = await new Promise<string>((resolve) => {
    browser.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId)
    })
    void browser.send('ServiceWorker.enable')
  })
  const { origin } = new URL(page.url())
  await browser.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(message) })
}

const markIsPublished = async (): Promise<string> => {
  const { owner } = school.institute
  const exam = { title: 'Fractions', kind: 'exam', maxScore: 20, heldAt: '2026-11-10' }
  const { id } = (await owner.post(`/groups/${school.groupIds[0]}/exams`, exam)).body
  await owner.put(`/exams/${id}/results`, { results: [{ studentId: school.studentIds[0], score: 17 }] })
  await owner.post(`/exams/${id}/publish`)
  await school.app.drain()
  return id
}

/** A browser without a head says that it forbids messages, and allows them once it is asked: until then this one says neither. */
const asks = async (page: Page): Promise<void> => {
  await page.context().grantPermissions(['notifications'])
  await page.addInitScript(`
    const ask = Notification.requestPermission.bind(Notification)
    Object.defineProperty(Notification, 'permission', { get: () => localStorage.getItem('test.permission') ?? 'default' })
    Notification.requestPermission = async () => {
      localStorage.setItem('test.permission', await ask())
      return Notification.permission
    }`)
}
const devices = async () => (await mother.get('/me/devices')).body.data

test('she says yes once, hears of a mark, and a tap leads to it; whoever has the phone after her hears nothing', async () => {
  const page = await open({ as: mother })
  await asks(page)
  await withPushService(page)
  await page.reload()
  // Nothing is registered, and the browser is asked for nothing, before she has said so.
  const offer = page.getByRole('complementary', { name: own.pushOffer })
  await offer.waitFor()
  expect(await page.evaluate('navigator.serviceWorker.getRegistrations().then((all) => all.length)')).toBe(0)
  await offer.getByRole('button', { name: own.pushOn }).tap()
  await page.getByText(account.deviceTurnedOn).waitFor()
  expect(await offer.count()).toBe(0)
  expect(await devices()).toHaveLength(1)

  await page.goto(`${school.app.url}/account`)
  const here = page.getByRole('listitem').filter({ hasText: account.deviceStates.on })
  await here.getByRole('button', { name: account.deviceOff }).waitFor()
  await page.getByLabel(account.channels.push).waitFor()

  const examId = await markIsPublished()
  const pushed = service.received.find(({ payload }) => payload['templateKey'] === 'exam.published')?.payload ?? {}
  expect(service.refused).toEqual([])
  const [worker] = page.context().serviceWorkers()
  // A browser without a head shows none, and nobody can tap them.
  await worker?.evaluate('self.registration.showNotification = async (...shown) => { self.shown = shown }')
  await delivered(page, await page.context().newCDPSession(page), pushed)
  const shown = () => worker?.evaluate<[string, object] | undefined>('self.shown')
  const { title, id: tag, path } = pushed
  await expect.poll(shown).toMatchObject([title, { lang: 'en', dir: 'ltr', tag, data: path }])
  await worker?.evaluate(`self.dispatchEvent(Object.assign(new ExtendableEvent('notificationclick'), {
    notification: { data: self.shown[1].data, close: () => {} } }))`)
  await page.waitForURL(`**/children/${school.studentIds[0]}/marks?exam=${examId}`)
  await page.getByText('Fractions').first().waitFor()

  await page.goto(`${school.app.url}/account`)
  await here.waitFor()
  await page.getByRole('button', { name: shell.nav.menu }).tap()
  await page.getByRole('menuitem', { name: shell.signOut }).tap()
  await page.waitForURL('**/sign-in')
  expect(await page.evaluate('localStorage.getItem("test.subscribed")')).toBeNull()
  expect(await devices()).toEqual([])
  await expectCalm()

  // A message that she taps later asks who she is, and then shows the thing itself.
  await page.goto(school.app.url + String(path))
  await page.getByLabel(signIn.email).fill(emailOf(mother.userId))
  await page.getByLabel(signIn.password).first().fill(PASSWORD)
  await page.getByRole('button', { name: signIn.submit }).tap()
  await page.waitForURL(`**/children/${school.studentIds[0]}/marks?exam=${examId}`)
  expect(await devices()).toEqual([])
})

test('where it cannot be, the page says why: it is forbidden, or the address is not https', async () => {
  const page = await open({ as: mother, path: '/account' })
  const hasState = async (text: string): Promise<void> => {
    await expect.poll(() => page.getByText(text).count(), { timeout: 10_000 }).toBe(1)
  }
  // As this browser says by itself.
  await hasState(account.deviceStates.blocked)
  await page.addInitScript('Object.defineProperty(window, "isSecureContext", { value: false })')
  await page.reload()
  await hasState(account.deviceStates.insecure)
})

test.each(LANGUAGES)('the offer and the switch fit and read well in $locale', async ({ locale }) => {
  const page = await open({ as: mother, locale })
  await asks(page)
  await page.reload()
  const words = await loadWords[locale]()
  await page.getByRole('complementary', { name: words.own.pushOffer }).waitFor()
  await examine(page, locale, `console-push-offer-${locale}`)
  await page.goto(`${school.app.url}/account`)
  await page.getByText(words.account.deviceStates.off).waitFor()
  await examine(page, locale, `console-push-account-${locale}`)
  await page.goto(`${school.app.url}/today`)
  await page.getByRole('button', { name: words.own.notNow }).tap()
  await page.getByText(words.own.pushLater).waitFor()
  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await page.getByRole('complementary', { name: words.own.pushOffer }).count()).toBe(0)
})
