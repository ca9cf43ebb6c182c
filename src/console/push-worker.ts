/**
 * `/push-worker.js`: shows the messages that a push service hands to this browser, also where no page is open, and leads
 * on to what they are about. A browser has it from the moment at which somebody wants messages there; it touches no request of
 * a page.
 */
import { directionOf, isLocale } from '../shared/locale.ts'
import { randomName } from './api/random.ts'
import { PLACE_MESSAGE, TAKEN_MILLIS, type PlaceMessage } from './api/push-place.ts'

/** What the server sends (`payloadOf` of the module notifications), as far as it is shown. */
interface Pushed {
  id: string
  title: string
  body: string
  locale: string
  /** Where the console shows what it is about. */
  path: string
  institute: string
}

interface Waiting extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface PushEvent extends Waiting {
  data: { json(): unknown } | null
}
interface ClickEvent extends Waiting {
  notification: Notification
}
interface Window {
  postMessage(message: PlaceMessage, ports: MessagePort[]): void
  focus(): Promise<unknown>
}

/** What a service worker is, as far as it matters here; types of the DOM lack it. */
interface Worker {
  addEventListener(name: 'install', hear: () => void): void
  addEventListener(name: 'push', hear: (event: PushEvent) => void): void
  addEventListener(name: 'notificationclick', hear: (event: ClickEvent) => void): void
  addEventListener(name: 'pushsubscriptionchange', hear: (event: Waiting) => void): void
  skipWaiting(): Promise<void>
  registration: ServiceWorkerRegistration
  clients: {
    matchAll(wanted: { type: 'window'; includeUncontrolled: true }): Promise<readonly Window[]>
    openWindow(address: string): Promise<unknown>
  }
  navigator: { locks: LockManager }
}

const worker = self as unknown as Worker

const APP_ICON = '/setup/assets/icons/app-192.png'
/** A shape without colours, for the bar at the top of a phone. */
const BADGE = '/setup/assets/icons/badge-96.png'

/** A message that comes a second time takes the place of the first, and makes no noise. */
const show = async ({ id, title, body, locale, path, institute }: Pushed): Promise<void> => {
  await worker.registration.showNotification(title || institute, {
    body,
    ...(isLocale(locale) && { lang: locale, dir: directionOf(locale) }),
    tag: id,
    icon: APP_ICON,
    badge: BADGE,
    data: path,
  })
}

/**
 * Asks an open page to go there. One that belongs to nobody, or in which somebody is writing, does not; one that sleeps
 * does not answer.
 */
const takes = (page: Window, path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const { port1: answered, port2: answers } = new MessageChannel()
    const asleep = setTimeout(() => resolve(false), TAKEN_MILLIS)
    answered.addEventListener('message', ({ data }: MessageEvent<boolean>) => {
      clearTimeout(asleep)
      resolve(data)
    })
    answered.start()
    page.postMessage({ name: PLACE_MESSAGE, path, until: Date.now() + TAKEN_MILLIS }, [answers])
  })

/** The page that was used last comes first. Where no page takes it, a new one does, which asks who it is first. */
const lead = async (path: string): Promise<void> => {
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  for (const page of pages) {
    // oxlint-disable-next-line no-await-in-loop -- one page alone goes there
    if (await takes(page, path)) {
      await page.focus()
      return
    }
  }
  await worker.clients.openWindow(path)
}

const ask = async <T>(method: 'GET' | 'POST', path: string, body?: unknown, header = {}): Promise<T | undefined> => {
  const reply = await fetch(`/api/v1${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', ...header },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return reply.ok ? ((await reply.json()) as T) : undefined
}

/** An access token, by the cookie of the session; the open pages take the new one too. @returns undefined: nobody is signed in */
const accessToken = (): Promise<string | undefined> =>
  // As `oneTabAtATime` of the pages: there is no localStorage here.
  worker.navigator.locks.request('institute.renewing', async () => {
    const signedIn = await ask<{ accessToken: string }>('POST', '/auth/refresh', {})
    if (!signedIn) return undefined
    const tabs = new BroadcastChannel('institute-session')
    tabs.postMessage({ token: signedIn.accessToken })
    tabs.close()
    return signedIn.accessToken
  })

/**
 * The browser has another address at its push service, and the server is told of it. Not every browser says what the new one
 * is, or the former. Where this fails, the console does it when it is opened next.
 */
const subscribeAgain = async (): Promise<void> => {
  const token = await accessToken()
  if (token === undefined) return
  const header = { Authorization: `Bearer ${token}` }
  const key = await ask<{ applicationServerKey: string }>('GET', '/me/push-key', undefined, header)
  if (!key) return
  const subscription = await worker.registration.pushManager.subscribe({ userVisibleOnly: true, ...key })
  const { endpoint, keys } = subscription.toJSON()
  await ask('POST', '/me/devices', { endpoint, keys, ...key }, { ...header, 'Idempotency-Key': randomName() })
}

// A new version has nothing to wait for.
worker.addEventListener('install', () => void worker.skipWaiting())
worker.addEventListener('push', (event) => {
  if (event.data) event.waitUntil(show(event.data.json() as Pushed))
})
worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(lead(event.notification.data as string))
})
worker.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(subscribeAgain()))
