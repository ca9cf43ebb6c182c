import { compiledInTenant } from '#db/queries/compiled.ts'
import { openPath } from '#shared/open-path.ts'
import type { Clock } from '#kernel/time/clock.ts'
import { checkUrl, type PolicedOutbound } from '#ports/outbound/port.ts'
import type { Vault } from '#runtime/secrets/vault.ts'
import { bestOf, type Channel, type Message, type Outcome, type SealedDevice } from '../channels/channel.ts'
import { PUSH_PROVIDERS } from '../providers/index.ts'
import { givenOf } from '../providers/provider.ts'
import { openSubscription } from '../channels/secrets.ts'
import { PushServices } from './push-services.ts'
import type { VapidKeys } from './vapid.ts'
import { outcomeOf } from '../providers/replies.ts'

export interface PushDeps {
  /** The server's own keys. */
  serverKeys: VapidKeys
  vault: Vault
  push: PolicedOutbound
  clock: Clock
}

const DEADLINE_MS = 5000
/** How long a push service keeps a message for a browser that is off, and how long a signature is valid. */
const KEPT_SECONDS = 86_400
const SIGNED_SECONDS = 12 * 3600
/** Push services take 4096 encrypted bytes (RFC 8030 7.2); encryption adds less than 110. */
const LONGEST_PAYLOAD = 3900
const GONE = [404, 410]
const ENCODING = 'aes128gcm'

type Keyed = Pick<Message, 'provider' | 'tenant'>

/** The keys with which an institute sends: its own, if it has some and its features allow it, else the server's. */
export const keysOf = (
  { provider, tenant }: Keyed,
  { serverKeys, vault }: Pick<PushDeps, 'serverKeys' | 'vault'>,
): VapidKeys => {
  const own = provider && PUSH_PROVIDERS[provider.provider]
  return own && tenant.features.byo_push_provider ? own.keys(givenOf(vault, own, provider)) : serverKeys
}

/** What the browser's service worker gets, as JSON. A body that is too long is cut. */
const payloadOf = ({ id, title, body, locale, templateKey, payload, tenant }: Message): string => {
  const path = openPath(templateKey, payload)
  const write = (text: string): string =>
    JSON.stringify({ id, title, body: text, locale, templateKey, payload, path, institute: tenant.name })
  const room = LONGEST_PAYLOAD - Buffer.byteLength(write(''))
  let text = body
  while (Buffer.byteLength(JSON.stringify(text)) > room && text !== '') {
    text = `${text.slice(0, Math.floor(text.length * 0.9) - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
    if (text === '…') text = ''
  }
  return write(text)
}

/** Which push service holds the messages for a browser. */
const serviceOf = ({ subscription }: SealedDevice, vault: Vault): string =>
  new URL(openSubscription(vault, subscription).endpoint).host

const NOT_BEFORE = 'The push service of the browser has not answered lately.'

/** Sends to one browser. The topic lets a push service replace a message that it gets again and still holds. */
const sendTo = async (
  device: SealedDevice,
  message: Message,
  keys: VapidKeys,
  { vault, push, clock, services }: PushDeps & { services: PushServices },
): Promise<Outcome> => {
  const { endpoint, keys: browser } = openSubscription(vault, device.subscription)
  // The address may have been stored before the policy was set.
  if (checkUrl(endpoint, push.policy) !== undefined) {
    return { kind: 'skipped', reason: 'Nothing is sent to the address of the browser.', gone: [device.id] }
  }
  const { origin, host } = new URL(endpoint)
  const pause = services.pauseOf(host)
  if (pause > 0) return { kind: 'later', reason: NOT_BEFORE, retryAfterSeconds: pause }
  const webPush = (await import('web-push')).default
  const expires = Math.floor(clock.millis() / 1000) + SIGNED_SECONDS
  const signed = webPush.getVapidHeaders(origin, keys.subject, keys.publicKey, keys.privateKey, ENCODING, expires)
  const sealed = webPush.encrypt(browser.p256dh, browser.auth, payloadOf(message), ENCODING)
  const result = await push.outbound.post({
    url: endpoint,
    headers: {
      ...signed,
      'Content-Type': 'application/octet-stream',
      'Content-Encoding': ENCODING,
      TTL: String(KEPT_SECONDS),
      Topic: message.id.replaceAll('-', ''),
    },
    body: sealed.cipherText,
    deadlineMs: DEADLINE_MS,
  })
  services.note(host, result.status !== null)
  if (result.status !== null && GONE.includes(result.status)) {
    return { kind: 'skipped', reason: 'The browser does not take messages any more.', gone: [device.id] }
  }
  return outcomeOf(result, { now: clock.now(), secrets: [keys.privateKey, endpoint], refusalOf: () => undefined })
}

const anyDevice = compiledInTenant((whole) => whole.selectFrom('push_device').select('id').limit(1))

/** The browsers that the institute's keys reach: each takes messages only from the server whose key it was given. */
const reached = (message: Message, deps: PushDeps) => {
  const keys = keysOf(message, deps)
  return { keys, devices: message.devices.filter((device) => device.application_server_key === keys.publicKey) }
}

/** Web Push to every browser that the recipient has registered. */
export const pushOver = (given: PushDeps): Channel => {
  const deps = { ...given, services: new PushServices(given.clock) }
  return {
    isSetUp: async (whole) => (await anyDevice(whole, {})).length > 0,
    serversOf: (message) => Map.groupBy(reached(message, deps).devices, (device) => serviceOf(device, deps.vault)),
    send: async (message) => {
      const { keys, devices } = reached(message, deps)
      return bestOf(await Promise.all(devices.map((device) => sendTo(device, message, keys, deps))))
    },
  }
}
