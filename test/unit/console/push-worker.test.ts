import { runInNewContext } from 'node:vm'
import { beforeEach, describe, expect, test } from 'vitest'
import { browserScripts } from '../../../build/browser-scripts.ts'

/** What is served as /push-worker.js, run with what a browser gives to a service worker. */

interface Asked {
  name: string
  path: string
  until: number
}

const code = browserScripts['push-worker.js']().toString('utf8')

const MESSAGE = {
  id: '019cad6a-1c00-7000-8000-000000000001',
  title: 'علامة جديدة',
  body: 'نُشرت علامة.',
  locale: 'ar',
  templateKey: 'exam.published',
  payload: { examId: 'e', groupId: 'g' },
  path: '/open?about=exam.published&examId=e&groupId=g',
  institute: 'معهد النور',
}

/** @param answers of the open pages, in the order in which they were used; undefined: it sleeps */
const start = ({
  answers = [],
  replies = {},
}: {
  answers?: readonly (boolean | undefined)[]
  replies?: Record<string, unknown>
} = {}) => {
  const did: unknown[] = []
  const heard = new Map<string, (event: object) => void>()
  const pages = answers.map((answer, at) => ({
    postMessage: ({ path }: Asked, [port]: { postMessage: (answer: boolean) => void }[]) => {
      did.push(['asks', at, path])
      if (answer !== undefined) port?.postMessage(answer)
    },
    focus: async () => void did.push(['focuses', at]),
  }))
  const subscription = { toJSON: () => ({ endpoint: 'https://push.example/new', keys: { p256dh: 'p', auth: 'a' } }) }
  const self = {
    addEventListener: (name: string, hear: (event: object) => void) => heard.set(name, hear),
    skipWaiting: async () => void did.push(['skipWaiting']),
    navigator: { locks: { request: (name: string, work: () => unknown) => (did.push(['locks', name]), work()) } },
    registration: {
      showNotification: async (title: string, options: object) => void did.push(['shows', title, options]),
      pushManager: {
        subscribe: async (options: object) => (did.push(['subscribes', options]), subscription),
      },
    },
    clients: {
      matchAll: async (wanted: object) => (expect(wanted).toMatchObject({ includeUncontrolled: true }), pages),
      openWindow: async (path: string) => void did.push(['opens', path]),
    },
  }
  const fetch = async (path: string, { headers, body }: { headers: Record<string, string>; body?: string }) => {
    const sent = body === undefined ? undefined : JSON.parse(body)
    did.push(['fetches', path, headers['Authorization'], sent])
    const reply = replies[path]
    return { ok: reply !== undefined, json: async () => reply }
  }
  class Tabs {
    postMessage = (message: unknown) => did.push(['tells tabs', message])
    close = () => {}
  }
  runInNewContext(code, { self, fetch, MessageChannel, BroadcastChannel: Tabs, crypto, setTimeout, clearTimeout })
  const happen = async (name: string, event: object = {}): Promise<unknown[]> => {
    const works: Promise<unknown>[] = []
    heard.get(name)?.({ ...event, waitUntil: (work: Promise<unknown>) => works.push(work) })
    await Promise.all(works)
    return did.splice(0)
  }
  return { happen }
}

const pushed = (message: unknown) => ({ data: { json: () => message } })
const tapped = (closed: () => void = () => {}) => ({ notification: { data: MESSAGE.path, close: closed } })

describe('the service worker', () => {
  let worker: ReturnType<typeof start>
  beforeEach(() => {
    worker = start()
  })

  test('shows a message in its language and direction, and a second time in place of the first', async () => {
    const [[, title, options]] = (await worker.happen('push', pushed(MESSAGE))) as [[string, string, object]]
    expect(title).toBe(MESSAGE.title)
    expect(options).toEqual({
      body: MESSAGE.body,
      lang: 'ar',
      dir: 'rtl',
      tag: MESSAGE.id,
      icon: '/setup/assets/icons/app-192.png',
      badge: '/setup/assets/icons/badge-96.png',
      data: MESSAGE.path,
    })
  })

  test('shows the name of the institute where a message has no title, and nothing where there is no message', async () => {
    expect(await worker.happen('push', pushed({ ...MESSAGE, title: '', locale: 'en' }))).toMatchObject([
      ['shows', MESSAGE.institute, { dir: 'ltr' }],
    ])
    expect(await worker.happen('push', { data: null })).toEqual([])
  })

  test('waits for nothing when there is a new version of it', async () => {
    expect(await worker.happen('install')).toEqual([['skipWaiting']])
  })
})

describe('a tap on a message', () => {
  test('leads the page that was used last there, and brings it forward', async () => {
    const closed: true[] = []
    const { happen } = start({ answers: [true, true] })
    expect(
      await happen(
        'notificationclick',
        tapped(() => closed.push(true)),
      ),
    ).toEqual([
      ['asks', 0, MESSAGE.path],
      ['focuses', 0],
    ])
    expect(closed).toEqual([true])
  })

  test('passes over a page in which somebody is writing, and one that sleeps', async () => {
    const { happen } = start({ answers: [false, undefined, true] })
    expect((await happen('notificationclick', tapped())).at(-1)).toEqual(['focuses', 2])
  })

  test.each<[string, (boolean | undefined)[]]>([
    ['no page is open', []],
    ['no page takes it', [false]],
  ])('opens a page of its own where %s', async (_, answers) => {
    const { happen } = start({ answers })
    expect((await happen('notificationclick', tapped())).at(-1)).toEqual(['opens', MESSAGE.path])
  })
})

describe('where the browser has another address', () => {
  test('the server is told of it in the session of the browser, whose pages take the new token', async () => {
    const { happen } = start({
      replies: {
        '/api/v1/auth/refresh': { accessToken: 'fresh' },
        '/api/v1/me/push-key': { applicationServerKey: 'BKey' },
        '/api/v1/me/devices': {},
      },
    })
    const body = {
      endpoint: 'https://push.example/new',
      keys: { p256dh: 'p', auth: 'a' },
      applicationServerKey: 'BKey',
    }
    expect(await happen('pushsubscriptionchange')).toEqual([
      ['locks', 'institute.renewing'],
      ['fetches', '/api/v1/auth/refresh', undefined, {}],
      ['tells tabs', { token: 'fresh' }],
      ['fetches', '/api/v1/me/push-key', 'Bearer fresh', undefined],
      ['subscribes', { userVisibleOnly: true, applicationServerKey: 'BKey' }],
      ['fetches', '/api/v1/me/devices', 'Bearer fresh', body],
    ])
  })

  test('nothing is asked for where nobody is signed in any more', async () => {
    const did = await start().happen('pushsubscriptionchange')
    expect(did).toHaveLength(2)
  })
})
