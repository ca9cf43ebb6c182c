import { newId } from '#kernel/basics/ids.ts'
import type { Examples, World } from '#kit/examples.ts'
import { makeInstitute } from '#kit/institute.ts'
import { cloudBeside, platformAdmin } from '#kit/platform-admin.ts'
import { addPasskey } from '#kit/second-factor.ts'
import { emailOf, PASSWORD } from '#kit/sign-in.ts'

/** A request of the platform admin about an institute that nothing else uses. */
const aboutNewInstitute = async ({ app }: World, body?: object) => ({
  as: await platformAdmin(app),
  params: { id: (await makeInstitute(app)).tenant.id },
  ...(body && { body }),
})

const REASON = 'Three bills are unpaid.'

/** Locks an institute that nothing else uses. @returns its id */
const newLockedInstitute = async ({ app }: World): Promise<string> => {
  const { id } = (await makeInstitute(app)).tenant
  const { status } = await (await platformAdmin(app)).post(`/platform/tenants/${id}/lock`, { reason: REASON })
  if (status !== 200) throw new Error(`an institute could not be locked: ${status}`)
  return id
}

const byAdmin = async ({ app }: World) => ({ as: await platformAdmin(app) })

/** A kind of job whose runs nothing else waits for. */
const QUEUE = 'oauth.sweep'

const aboutQueue = async (world: World) => ({ ...(await byAdmin(world)), params: { name: QUEUE } })

/** A job that is not due for a long time, or that failed for good. @returns its id */
const newJob = async ({ app }: World, state: 'queued' | 'dead'): Promise<string> => {
  const id = newId()
  const failed = { attempts: 5, last_error: 'The receiver answered 503.', finished_at: app.clock.now() }
  await app.app.database.write((db) =>
    db
      .insertInto('job')
      .values({
        id,
        tenant_id: null,
        kind: QUEUE,
        lane: QUEUE,
        payload: {},
        run_at: '2099-01-01T00:00:00.000Z',
        state,
        max_attempts: 5,
        lease_until: null,
        unique_key: null,
        created_at: app.clock.now(),
        ...(state === 'dead' ? failed : { last_error: null, finished_at: null }),
      })
      .execute(),
  )
  return id
}

const newPerson = ({ serial }: World) => ({ email: `person-${serial}-${newId()}@example.org`, fullName: 'Rana Haddad' })

export const platformExamples: Examples = {
  'platform-tenants.list': async (world) => {
    await newLockedInstitute(world)
    return { ...(await byAdmin(world)), query: '?status=suspended' }
  },
  'platform-tenants.create': async (world) => ({
    as: await platformAdmin(await cloudBeside(world.app)),
    body: {
      slug: `noor-${newId()}`,
      name: 'Noor Institute',
      defaultLocale: 'ar',
      timezone: 'Asia/Jerusalem',
      currency: 'ILS',
      owner: newPerson(world),
    },
  }),
  'platform-tenants.read': (world) => aboutNewInstitute(world),
  'platform-tenants.update': (world) => aboutNewInstitute(world, { autoLockOverride: 'on', features: { mcp: true } }),
  'platform-tenants.archive': (world) => aboutNewInstitute(world),
  'platform-tenants.impersonate': (world) => aboutNewInstitute(world, { reason: 'They asked for help with a bill.' }),
  'platform-tenants.lock': (world) => aboutNewInstitute(world, { reason: REASON }),
  'platform-tenants.unlock': (world) => aboutNewInstitute(world),
  'platform-figures.list': byAdmin,
  'platform-users.list': async (world) => ({
    ...(await byAdmin(world)),
    query: `?email=${emailOf(world.institute.ownerUserId)}`,
  }),
  'platform-users.create': async (world) => ({ ...(await byAdmin(world)), body: newPerson(world) }),
  'platform-users.update': async (world) => ({
    ...(await byAdmin(world)),
    params: { id: (await world.institute.member({ role: 'teacher' })).userId },
    body: { status: 'disabled' },
  }),
  'platform-users.reset-second-factor': async (world) => {
    const user = await world.institute.member({ role: 'teacher' })
    await addPasskey(user)
    return { ...(await byAdmin(world)), params: { id: user.userId }, body: { password: PASSWORD } }
  },
  'platform-queues.list': byAdmin,
  'platform-queues.retry-failed': aboutQueue,
  'platform-queues.pause': async (world) => ({
    ...(await aboutQueue(world)),
    body: { reason: 'The mail server is away.' },
  }),
  'platform-queues.resume': aboutQueue,
  'platform-lanes.list': async (world) => {
    await newJob(world, 'queued')
    return byAdmin(world)
  },
  'platform-jobs.list': async (world) => {
    await newJob(world, 'dead')
    return { ...(await byAdmin(world)), query: `?name=${QUEUE}` }
  },
  'platform-jobs.retry': async (world) => ({ ...(await byAdmin(world)), params: { id: await newJob(world, 'dead') } }),
  'platform-jobs.drop': async (world) => ({ ...(await byAdmin(world)), params: { id: await newJob(world, 'queued') } }),
  'platform-audit.list': async (world) => ({
    ...(await byAdmin(world)),
    query: `?tenantId=${await newLockedInstitute(world)}&action=platform-tenants.lock`,
  }),
}
