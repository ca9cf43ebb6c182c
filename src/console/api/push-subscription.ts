/**
 * What this browser has at its push service, and for whom. The server sends to it as long as the session lives in which
 * it was registered.
 */

/** As it was registered. */
interface Registered {
  sessionId: string
  endpoint: string
  /** With which the server is let in. */
  applicationServerKey: string
}

type ByOwner = Readonly<Record<string, Registered>>

const KEY = 'institute.push'
/** Nobody waits longer to be signed out for the sake of a push service. */
const LONGEST_MILLIS = 3000

const watchers = new Set<() => void>()

const readAll = (): ByOwner => JSON.parse(localStorage.getItem(KEY) ?? '{}') as ByOwner

const keepAll = (all: ByOwner): void => {
  if (Object.keys(all).length === 0) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, JSON.stringify(all))
  for (const watcher of watchers) watcher()
}

/** @param owner `<user>/<institute>`, as `sessionOwner` @returns undefined: they get no messages in this browser */
export const registeredFor = (owner: string): Registered | undefined => readAll()[owner]

export const keepRegistered = (owner: string, registered: Registered): void =>
  keepAll({ ...readAll(), [owner]: registered })

export const watchRegistered = (watcher: () => void): (() => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** Ends it at the push service, which holds messages back for a day: they come no more, and those that are shown go away. */
const drop = async (): Promise<void> => {
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- missing on plain HTTP
  const registration = await navigator.serviceWorker?.getRegistration()
  if (!registration) return
  for (const shown of await registration.getNotifications()) shown.close()
  await (await registration.pushManager.getSubscription())?.unsubscribe()
}

/** For whoever signs out. */
export const dropSubscription = async (): Promise<void> => {
  keepAll({})
  // Where the push service is not reached, the server sends nothing all the same. It imports nothing: what it shared with
  // the first page would be one more file there.
  const longest = new Promise((resolve) => {
    setTimeout(resolve, LONGEST_MILLIS)
  })
  await Promise.race([drop().catch(() => {}), longest])
}

/** The same for one person in one institute: where they have messages of another one, the browser keeps its subscription. */
export const forgetRegistered = async (owner: string): Promise<void> => {
  const { [owner]: _, ...others } = readAll()
  if (Object.keys(others).length === 0) await dropSubscription()
  else keepAll(others)
}

/** Ends what somebody else left in this browser, whose session ran out before they signed out. */
export const dropForeign = async (owner: string): Promise<void> => {
  const [user = ''] = owner.split('/')
  if (Object.keys(readAll()).some((one) => !one.startsWith(`${user}/`))) await dropSubscription()
}
