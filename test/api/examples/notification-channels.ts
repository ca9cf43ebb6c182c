import { createECDH, randomBytes } from 'node:crypto'
import type { Examples, World } from '#kit/examples.ts'

const OWN = 'It tells of the caller alone, whoever that is.'
const OF_ALL = 'Providers belong to the whole institute.'

/** A browser's subscription, at a push service that is not there. */
const subscription = () => ({
  endpoint: `http://127.0.0.1:9/push/${randomBytes(12).toString('hex')}`,
  keys: {
    p256dh: createECDH('prime256v1').generateKeys('base64url'),
    auth: randomBytes(16).toString('base64url'),
  },
})

export const newDevice = async ({ owner }: World): Promise<string> =>
  (await owner.post('/me/devices', subscription())).body.id

const PROVIDER = { provider: 'https', url: 'http://127.0.0.1:9/send', token: 'token-of-an-example' }

const withFeature = async ({ owner }: World): Promise<void> => {
  await owner.patch('/feature-flags', { sms_notifications: true })
}

const ofProvider = async (world: World) => {
  await withFeature(world)
  await world.owner.put('/notification-providers/sms', PROVIDER)
  return { params: { channel: 'sms' } }
}

export const notificationChannelExamples: Examples = {
  'me.devices': {
    branchless: OWN,
    make: async (world) => {
      await newDevice(world)
      return {}
    },
  },
  'me.push-key': { branchless: OWN, make: async () => ({}) },
  'me.register-device': { branchless: OWN, make: async () => ({ body: subscription() }) },
  'me.forget-device': { branchless: OWN, make: async (world) => ({ params: { id: await newDevice(world) } }) },
  'notification-providers.list': { branchless: OF_ALL, make: async () => ({}) },
  'notification-providers.set': {
    branchless: OF_ALL,
    make: async (world) => {
      await withFeature(world)
      return { params: { channel: 'sms' }, body: PROVIDER }
    },
  },
  'notification-providers.delete': { branchless: OF_ALL, make: ofProvider },
  'notification-providers.test': {
    branchless: OF_ALL,
    make: async (world) => ({ ...(await ofProvider(world)), body: { to: '+972501234567' } }),
  },
}
