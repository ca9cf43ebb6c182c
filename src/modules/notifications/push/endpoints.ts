import { change, openRead, read } from '#kernel/contract/endpoint.ts'
import { Ok, pageOf, pageQuery } from '#kernel/values/schema.ts'
import { forgetDevice, MOST_DEVICES, OtherKey, pushKey, registerDevice, type DeviceDeps } from './devices.ts'
import { listDevices } from './live-devices.ts'
import { Device, NewDevice, OwnDevice, PushKey } from './schemas.ts'

const own = { access: 'tenant' } as const

export const deviceEndpoints = (deps: DeviceDeps) => [
  openRead({
    id: 'me.devices',
    path: '/me/devices',
    summary: 'The browsers that get the caller’s push messages',
    description:
      'Newest first; those of the active institute, none without one. A browser ends with the session in which it was registered: by signing out there or everywhere, by ending that session, with a new password for the others, a reset of the password, or when the session expires.',
    access: 'user',
    query: pageQuery({}),
    reply: pageOf(OwnDevice),
    handle: ({ everywhere, caller, ...context }) => listDevices({ ...context, db: everywhere }, caller),
  }),
  read({
    ...own,
    id: 'me.push-key',
    path: '/me/push-key',
    summary: 'The key with which a browser subscribes to push messages',
    description:
      'The institute’s own where it has one (`web_push` of the channel push), else the server’s: there always is one. A browser that subscribed with a former key gets nothing, until it unsubscribes and subscribes with this one.',
    reply: PushKey,
    handle: ({ whole, tenant }) => pushKey(whole, tenant, deps),
  }),
  change({
    ...own,
    id: 'me.register-device',
    method: 'POST',
    path: '/me/devices',
    summary: 'Send push messages to this browser',
    description: `The body is the browser’s PushSubscription in JSON; its endpoint is https and public (422). \`applicationServerKey\`, when given, must be the key in use (409, which tells it). The browser gets messages until the session ends in which it is registered, and stops to tell whoever was signed in there before. Registered again it keeps its id. A person has at most ${MOST_DEVICES}: beyond them the first is forgotten. A browser of which its push service says that it is gone is forgotten. Messages are JSON: id, title, body, locale, templateKey, payload, institute. Only a signed-in user has browsers (403).`,
    body: NewDevice,
    status: 201,
    reply: Device,
    fails: [OtherKey],
    handle: ({ tx, caller, body }) => registerDevice(tx, caller, body, deps),
  }),
  change({
    ...own,
    id: 'me.forget-device',
    method: 'DELETE',
    path: '/me/devices/{id}',
    summary: 'Send no more push messages to a browser of the caller',
    reply: Ok,
    handle: ({ tx, caller, params }) => forgetDevice(tx, caller, params.id),
  }),
]
