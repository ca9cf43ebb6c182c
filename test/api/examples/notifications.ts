import type { Examples, World } from '#kit/examples.ts'
import { newGuardian, newStudent } from './people.ts'
import { newGroup, newPupil } from './sessions.ts'

const OWN = 'It tells of the caller alone, whoever that is.'
const OF_ALL = 'Texts belong to the whole institute.'

export const newTemplate = async ({ owner, serial }: World, more: object = {}): Promise<string> =>
  (
    await owner.post('/notification-templates', {
      key: `holiday-${serial}-${Math.random().toString(36).slice(2)}`,
      channel: 'email',
      locale: 'en',
      subject: 'Closed on {{data.day}}',
      body: 'Hello {{recipientName}}, we are closed on {{data.day}}.',
      ...more,
    })
  ).body.id

const closed = { templateKey: 'message', data: { title: 'Closed', message: 'We are closed on Sunday.' } }

/** Sends by hand to somebody without an email address, who gets one afterwards. @returns the message that was skipped */
export const newFailedMessage = async (world: World): Promise<string> => {
  const { owner, app } = world
  const studentId = await newStudent(world)
  // Somebody is reached by it, so that it is not refused.
  const recipients = { studentIds: [studentId], userIds: [world.institute.ownerUserId] }
  await owner.post('/notifications/send', { ...closed, channels: ['email'], recipients })
  await app.drain()
  const { body } = await owner.get('/notifications?status=skipped')
  await owner.patch(`/students/${studentId}`, { email: 'dana@example.org' })
  return body.data[0].id
}

/** A mail that the mail server did not take, and that was given up. */
const newStuckMessage = async (world: World): Promise<string> => {
  const { app } = world
  const id = await newFailedMessage(world)
  const stuck = { status: 'failed', server_failed_at: app.clock.now() } as const
  await app.app.database.write((db) => db.updateTable('notification').set(stuck).where('id', '=', id).execute())
  return id
}

/** Sends by hand to a student who has a phone only. @returns whom the office is to call */
export const newCall = async (world: World): Promise<string> => {
  const { owner, app } = world
  const studentId = await newStudent(world)
  await owner.patch(`/students/${studentId}`, { phone: '+972501234567' })
  const recipients = { studentIds: [studentId] }
  const { body } = await owner.post('/notifications/send', { ...closed, channels: ['email'], recipients, toCall: true })
  await app.drain()
  return (await owner.get(`/notifications/calls?sourceId=${body.batchId}`)).body.data[0].id
}

/**
 * Sends by hand to the owner and to a student with a phone only, and once more when there is an address: the log and the list of
 * calls both know the one message and the student.
 */
export const newSaidAndCalled = async (world: World): Promise<{ sourceId: string; recipientId: string }> => {
  const { owner, app, institute } = world
  const studentId = await newStudent(world)
  await owner.patch(`/students/${studentId}`, { phone: '+972501234567' })
  const recipients = { studentIds: [studentId], userIds: [institute.ownerUserId] }
  const { body } = await owner.post('/notifications/send', { ...closed, channels: ['email'], recipients, toCall: true })
  await app.drain()
  await owner.patch(`/students/${studentId}`, { email: 'dana@example.org' })
  await owner.post('/notifications/send', { ...closed, channels: ['email'], recipients: { studentIds: [studentId] } })
  await app.drain()
  const [call] = (await owner.get(`/notifications/calls?sourceId=${body.batchId}`)).body.data
  return { sourceId: body.batchId, recipientId: call.recipient.id }
}

/** Something in the owner's inbox. */
const newEntry = async ({ owner, app, institute }: World): Promise<string> => {
  const recipients = { userIds: [institute.ownerUserId] }
  await owner.post('/notifications/send', { ...closed, channels: ['in_app'], recipients })
  await app.drain()
  return (await owner.get('/me/notifications')).body.data[0].id
}

const ofTemplate = async (world: World) => ({ params: { id: await newTemplate(world) } })
const ofMessage = async (world: World) => ({ params: { id: await newFailedMessage(world) } })

export const notificationExamples: Examples = {
  'me.notifications': {
    branchless: OWN,
    make: async (world) => {
      await newEntry(world)
      return { query: '?unreadOnly=true' }
    },
  },
  'me.unread-notifications': { branchless: OWN, make: async () => ({}) },
  'me.read-all-notifications': { branchless: OWN, make: async () => ({}) },
  'me.read-notification': { branchless: OWN, make: async (world) => ({ params: { id: await newEntry(world) } }) },
  'notification-preferences.read': { branchless: OWN, make: async () => ({}) },
  'notification-preferences.update': {
    branchless: OWN,
    make: async () => ({ body: { preferences: [{ channel: 'email', enabled: true, digestMode: 'daily' }] } }),
  },
  'notification-templates.list': { branchless: OF_ALL, make: async () => ({}) },
  'notification-templates.create': {
    branchless: OF_ALL,
    make: async ({ serial }) => ({
      body: {
        key: `rain-${serial}-${Math.random().toString(36).slice(2)}`,
        channel: 'sms',
        locale: 'he',
        body: '{{institute}}: {{data.message}}',
      },
    }),
  },
  'notification-templates.update': {
    branchless: OF_ALL,
    make: async (world) => ({ ...(await ofTemplate(world)), body: { isActive: false } }),
  },
  'notification-templates.delete': { branchless: OF_ALL, make: ofTemplate },
  'notifications.send': async (world) => {
    const groupId = await newGroup(world)
    await newPupil(world, groupId, { email: 'pupil@example.org' })
    return {
      body: {
        ...closed,
        channels: ['email', 'in_app'],
        recipients: {
          groupId,
          studentIds: [await newStudent(world)],
          guardianIds: [await newGuardian(world)],
          userIds: [world.institute.ownerUserId],
        },
      },
    }
  },
  'notifications.list': async () => ({ query: '?status=skipped' }),
  'notifications.usage': {
    branchless: 'It counts the whole institute.',
    make: async () => ({ query: '?month=2026-03' }),
  },
  'notifications.read': ofMessage,
  'notifications.stuck': { branchless: OF_ALL, make: async () => ({}) },
  'notifications.drop-stuck': { branchless: OF_ALL, make: async () => ({ body: { channel: 'email' } }) },
  'notifications.retry-stuck': { branchless: OF_ALL, make: async () => ({ body: { channel: 'email' } }) },
  'notifications.retry': ofMessage,
  'notifications.drop': async (world) => ({ params: { id: await newStuckMessage(world) } }),
  'notifications.reach': async () => ({}),
  'notifications.calls': async (world) => {
    await newCall(world)
    return { query: '?status=open' }
  },
  'notifications.tellAll': async (world) => ({
    body: { sourceId: (await newSaidAndCalled(world)).sourceId, how: 'whatsapp' },
  }),
  'notifications.tell': async (world) => ({ params: { id: await newCall(world) }, body: { how: 'whatsapp' } }),
  'notifications.untell': async (world) => ({ params: { id: await newCall(world) } }),
}
