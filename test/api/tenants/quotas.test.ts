import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { QuotaKey } from '#kernel/who/quota.ts'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import type { Reply } from '#kit/client.ts'
import { worldOf, type World } from '#kit/examples.ts'
import { grant } from '#kit/grant.ts'
import { makeInstitute } from '#kit/institute.ts'
import { watchWrites, type Write } from '#kit/writes.ts'
import { newCourse, newGroup } from '../examples/academics.ts'
import { newCategory } from '../examples/course-categories.ts'
import { newApiKey } from '../examples/integrations.ts'
import { enquiry, registration, visitor } from '../examples/leads.ts'
import { newStaff, newStudent } from '../examples/people.ts'
import { newPlan, newSubscription } from '../examples/plans.ts'
import { platformAdmin } from '#kit/platform-admin.ts'

let app: TestApp
let writes: () => Promise<Write[]>
beforeAll(async () => {
  app = await startApp({ config: { ...NO_LIMITS, accessTokenSeconds: 86_400 } })
  writes = await watchWrites(app)
})
afterAll(() => app.close())

/** An institute of its own, whose plan limits nothing yet. */
const freshWorld = async (): Promise<World> => worldOf(app, await makeInstitute(app))
const limit = ({ institute }: World, key: QuotaKey, most: number) => grant(app, institute, { quotas: { [key]: most } })

const exceeded = (key: QuotaKey, most: number, current = most) => ({
  status: 403,
  body: { error: { code: 'QUOTA_EXCEEDED', details: { limit: most, current, key } } },
})

const add = {
  maxStudents: ({ owner, branchId }: World) =>
    owner.post('/students', { branchId, firstName: 'Dana', lastName: 'Levi' }),
  maxStaff: ({ owner, branchId }: World) => owner.post('/staff', { branchId, firstName: 'Amal', lastName: 'Haddad' }),
  maxBranches: ({ owner }: World) => owner.post('/branches', { name: `Branch ${Math.random()}` }),
  maxCourses: ({ owner }: World, categoryId: string) => owner.post('/courses', { categoryId, name: 'English' }),
  maxGroups: ({ owner, branchId }: World, courseId: string) =>
    owner.post('/groups', { courseId, branchId, name: 'English A' }),
  maxApiKeys: ({ owner }: World) => owner.post('/api-keys', { name: 'Key' }),
}
const KEYS = Object.keys(add) as (keyof typeof add)[]

/** What an addition names. */
const neededBy = async (key: keyof typeof add, world: World): Promise<string> => {
  if (key === 'maxCourses') return newCategory(world)
  return key === 'maxGroups' ? newCourse(world) : ''
}

describe('a quota', () => {
  test.each(KEYS)(
    '%s refuses what would exceed it with 403 and {limit, current, key}, before any write',
    async (key) => {
      const world = await freshWorld()
      const needed = await neededBy(key, world)
      await limit(world, key, 2)
      const had = key === 'maxBranches' ? 1 : 0
      for (let made = had; made < 2; made += 1) expect((await add[key](world, needed)).status).toBe(201)
      await writes()
      expect(await add[key](world, needed)).toMatchObject(exceeded(key, 2))
      expect(await writes()).toEqual([])
      await limit(world, key, 3)
      expect((await add[key](world, needed)).status).toBe(201)
      // A plan with less room than there is takes nothing away.
      await limit(world, key, 1)
      expect(await add[key](world, needed)).toMatchObject(exceeded(key, 1, 3))
      await grant(app, world.institute, {})
      expect((await add[key](world, needed)).status).toBe(201)
    },
  )

  test.each(KEYS)('%s is never exceeded by fifty at once', async (key) => {
    const world = await freshWorld()
    const needed = await neededBy(key, world)
    const room = 7
    await limit(world, key, key === 'maxBranches' ? room + 1 : room)
    const replies = await Promise.all(Array.from({ length: 50 }, () => add[key](world, needed)))
    expect(
      Object.entries(Object.groupBy(replies, ({ status }) => status)).map(([status, all]) => [status, all?.length]),
    ).toEqual([
      ['201', room],
      ['403', 50 - room],
    ])
  })

  test('of another institute counts for itself', async () => {
    const [full, empty] = [await freshWorld(), await freshWorld()]
    await limit(full, 'maxStudents', 0)
    await limit(empty, 'maxStudents', 1)
    expect(await add.maxStudents(full)).toMatchObject(exceeded('maxStudents', 0))
    expect((await add.maxStudents(empty)).status).toBe(201)
  })

  test('of a plan holds from the next request on', async () => {
    const world = await freshWorld()
    const admin = await platformAdmin(app)
    const plan = await newPlan(app, { quotas: { maxStudents: 1 } })
    await newSubscription(app, world.institute, { planId: plan.id })
    expect((await add.maxStudents(world)).status).toBe(201)
    expect(await add.maxStudents(world)).toMatchObject(exceeded('maxStudents', 1))
    await admin.patch(`/platform/plans/${plan.id}`, { quotas: { maxStudents: 2 } })
    expect((await add.maxStudents(world)).status).toBe(201)
    await admin.patch(`/platform/plans/${plan.id}`, { quotas: { maxStudents: null } })
    expect((await add.maxStudents(world)).status).toBe(201)
  })
})

describe('maxStudents', () => {
  const move = ({ owner }: World, id: string, status: string): Promise<Reply> =>
    owner.post(`/students/${id}/status`, { status })

  test('leaves out who is withdrawn or graduated, and counts who comes back', async () => {
    const world = await freshWorld()
    const [one, two] = [await newStudent(world), await newStudent(world)]
    await limit(world, 'maxStudents', 2)
    expect(await add.maxStudents(world)).toMatchObject(exceeded('maxStudents', 2))
    expect((await move(world, one, 'withdrawn')).status).toBe(200)
    expect((await add.maxStudents(world)).status).toBe(201)
    expect(await move(world, one, 'active')).toMatchObject(exceeded('maxStudents', 2))
    const asked = await world.owner.post(`/students/${one}/status/rehearsal`, { status: 'active' })
    expect(asked).toMatchObject(exceeded('maxStudents', 2))
    // Within the count they move freely.
    for (const status of ['active', 'paused', 'active', 'graduated']) {
      expect((await move(world, two, status)).status).toBe(200)
    }
    expect((await move(world, one, 'active')).status).toBe(200)
    expect(await move(world, two, 'active')).toMatchObject(exceeded('maxStudents', 2))
  })

  test('is never exceeded by fifty who come back at once', async () => {
    const world = await freshWorld()
    const ids: string[] = []
    for (let made = 0; made < 50; made += 1) ids.push(await newStudent(world))
    for (const id of ids) await move(world, id, 'withdrawn')
    await limit(world, 'maxStudents', 9)
    const replies = await Promise.all(ids.map((id) => move(world, id, 'active')))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(9)
    expect(replies.filter(({ status }) => status === 403)).toHaveLength(41)
  })

  test('counts students with a number of their own, and not those who were deleted or never came to be', async () => {
    const world = await freshWorld()
    const { owner, branchId } = world
    const numbered = (studentNumber: string) =>
      owner.post('/students', { branchId, firstName: 'Dana', lastName: 'Levi', studentNumber })
    await limit(world, 'maxStudents', 2)
    const first = await numbered('S-000001')
    expect(await numbered('S-000001')).toMatchObject({ status: 409 })
    // The server skips the number that is taken, and counts the student once.
    expect((await add.maxStudents(world)).body.studentNumber).toBe('S-000002')
    expect(await numbered('S-000003')).toMatchObject(exceeded('maxStudents', 2))
    expect((await owner.delete(`/students/${first.body.id}`)).status).toBe(200)
    expect((await numbered('S-000003')).status).toBe(201)
    expect(await add.maxStudents(world)).toMatchObject(exceeded('maxStudents', 2))
  })

  const registered = async (world: World) => {
    const { as, headers } = await visitor(world)
    const { status, body } = await as.send('POST', '/public/registrations', { body: registration(), headers })
    expect(status, JSON.stringify(body)).toBe(201)
    return body as { leadId: string; studentId: string }
  }
  const convert = ({ owner }: World, id: string) => owner.post(`/leads/${id}/convert`)

  test('takes every registration, and counts their students from the conversion on', async () => {
    const world = await freshWorld()
    await limit(world, 'maxStudents', 1)
    const [one, two, three] = [await registered(world), await registered(world), await registered(world)]
    expect((await move(world, three.studentId, 'withdrawn')).status).toBe(200)
    expect((await convert(world, one.leadId)).status).toBe(200)
    expect(await convert(world, two.leadId)).toMatchObject(exceeded('maxStudents', 1))
    expect(await move(world, two.studentId, 'active')).toMatchObject(exceeded('maxStudents', 1))
    expect((await world.owner.get(`/leads/${two.leadId}`)).body.status).toBe('new')
    expect(await add.maxStudents(world)).toMatchObject(exceeded('maxStudents', 1))
    expect((await move(world, one.studentId, 'withdrawn')).status).toBe(200)
    expect((await move(world, two.studentId, 'active')).status).toBe(200)
    expect(await convert(world, three.leadId)).toMatchObject(exceeded('maxStudents', 1))
    // Whoever was converted counts like everybody.
    expect(await move(world, one.studentId, 'active')).toMatchObject(exceeded('maxStudents', 1))
    await world.owner.delete(`/students/${two.studentId}`)
    expect((await convert(world, three.leadId)).status).toBe(200)
  })

  test('counts the student who is made of a lead', async () => {
    const world = await freshWorld()
    await limit(world, 'maxStudents', 1)
    const leads = await Promise.all([0, 1].map(async () => (await world.owner.post('/leads', enquiry())).body.id))
    expect((await convert(world, leads[0])).status).toBe(200)
    expect(await convert(world, leads[1])).toMatchObject(exceeded('maxStudents', 1))
    expect((await world.owner.get(`/leads/${leads[1]}`)).body).toMatchObject({ status: 'new', studentId: null })
  })
})

describe('what is out of use makes room, and counts again when it is back', () => {
  const cases: Record<
    string,
    { key: QuotaKey; path: string; make(world: World): Promise<string>; off: object; on: object }
  > = {
    staff: {
      key: 'maxStaff',
      path: '/staff',
      make: newStaff,
      off: { isActive: false },
      on: { isActive: true },
    },
    branches: {
      key: 'maxBranches',
      path: '/branches',
      make: async ({ owner }) => (await owner.post('/branches', { name: `Branch ${Math.random()}` })).body.id,
      off: { isActive: false },
      on: { isActive: true },
    },
    courses: {
      key: 'maxCourses',
      path: '/courses',
      make: newCourse,
      off: { isActive: false },
      on: { isActive: true },
    },
    groups: {
      key: 'maxGroups',
      path: '/groups',
      make: newGroup,
      off: { status: 'completed' },
      on: { status: 'planned' },
    },
  }

  test.each(Object.entries(cases))('%s', async (_, { key, path, make, off, on }) => {
    const world = await freshWorld()
    const one = await make(world)
    const most = key === 'maxBranches' ? 2 : 1
    await limit(world, key, most)
    const change = (body: object) => world.owner.patch(`${path}/${one}`, body)
    expect((await change(on)).status).toBe(200)
    expect((await change(off)).status).toBe(200)
    await make(world)
    expect(await change(on)).toMatchObject(exceeded(key, most))
    if (key === 'maxGroups') {
      expect(await world.owner.post(`${path}/${one}/rehearsal`, on)).toMatchObject(exceeded(key, most))
    }
    expect((await change({ name: 'Named anew', firstName: 'Named', isDefault: undefined })).status).toBe(200)
    await limit(world, key, most + 1)
    expect((await change(on)).status).toBe(200)
  })

  test('a branch that becomes the default is switched on', async () => {
    const world = await freshWorld()
    const { body } = await world.owner.post('/branches', { name: 'North' })
    await world.owner.patch(`/branches/${body.id}`, { isActive: false })
    await limit(world, 'maxBranches', 1)
    const make = () => world.owner.patch(`/branches/${body.id}`, { isDefault: true })
    expect(await make()).toMatchObject(exceeded('maxBranches', 1))
    await limit(world, 'maxBranches', 2)
    expect((await make()).body).toMatchObject({ isDefault: true, isActive: true })
  })

  test('API keys that are revoked or expired', async () => {
    const world = await freshWorld()
    const expiresAt = new Date(app.clock.millis() + 60_000).toISOString()
    const [first] = [await newApiKey(world), await newApiKey(world, { expiresAt })]
    await limit(world, 'maxApiKeys', 2)
    expect(await add.maxApiKeys(world)).toMatchObject(exceeded('maxApiKeys', 2))
    app.clock.advance(60)
    expect((await add.maxApiKeys(world)).status).toBe(201)
    expect(await add.maxApiKeys(world)).toMatchObject(exceeded('maxApiKeys', 2))
    await world.owner.delete(`/api-keys/${first.id}`)
    expect((await add.maxApiKeys(world)).status).toBe(201)
  })
})

describe('the requests a minute of an API key', () => {
  const plan = (world: World, apiRateLimitPerMin: number | null) =>
    grant(app, world.institute, { quotas: { apiRateLimitPerMin } })
  const effective = async ({ owner }: World, id: string) =>
    (await owner.get('/api-keys')).body.data.find((key: { id: string }) => key.id === id).effectiveRateLimitPerMin

  test('are its own, else the plan’s, and never above the plan’s: at once when the plan changes', async () => {
    const own = await startApp({ config: { accessTokenSeconds: 86_400 } })
    try {
      const world = worldOf(own, await makeInstitute(own))
      const change = (quotas: object) => grant(own, world.institute, { quotas })
      const [plain, set] = [
        await newApiKey(world, { permissions: ['students.read'] }),
        await newApiKey(world, { permissions: ['students.read'], rateLimitPerMin: 5000 }),
      ]
      const both = async () => [await effective(world, plain.id), await effective(world, set.id)]
      const heard = async (key: string) => Number((await own.as(key).get('/students')).headers.get('ratelimit-limit'))
      expect(await both()).toEqual([1200, 5000])
      await change({ apiRateLimitPerMin: 300 })
      expect(await both()).toEqual([300, 300])
      expect([await heard(plain.key), await heard(set.key)]).toEqual([300, 300])
      await change({ apiRateLimitPerMin: 7000 })
      expect(await both()).toEqual([7000, 5000])
      expect(await heard(plain.key)).toBe(7000)
      await grant(own, world.institute, {})
      expect(await both()).toEqual([1200, 5000])
    } finally {
      await own.close()
    }
  })

  test('above the ceiling are 422: the plan’s, else 6000', async () => {
    const own = await startApp({ config: { accessTokenSeconds: 86_400 } })
    try {
      const world = worldOf(own, await makeInstitute(own))
      const { id } = await newApiKey(world)
      const patch = async (rateLimitPerMin: number | null) => {
        const { status, body } = await world.owner.patch(`/api-keys/${id}`, { rateLimitPerMin })
        return status === 200 ? body.effectiveRateLimitPerMin : body.error.code
      }
      expect([await patch(6001), await patch(6000)]).toEqual(['VALIDATION_ERROR', 6000])
      await grant(own, world.institute, { quotas: { apiRateLimitPerMin: 100 } })
      expect([await patch(101), await patch(100), await patch(null)]).toEqual(['VALIDATION_ERROR', 100, 100])
      const made = await world.owner.post('/api-keys', { name: 'Key', rateLimitPerMin: 101 })
      expect(made).toMatchObject({ status: 422, body: { error: { code: 'VALIDATION_ERROR' } } })
      await grant(own, world.institute, { quotas: { apiRateLimitPerMin: 10_000 } })
      expect([await patch(10_001), await patch(10_000)]).toEqual(['VALIDATION_ERROR', 10_000])
    } finally {
      await own.close()
    }
  })

  test('null in the plan is the server’s default', async () => {
    const world = await freshWorld()
    const { id } = await newApiKey(world)
    const before = await effective(world, id)
    await plan(world, null)
    expect(await effective(world, id)).toBe(before)
  })
})

describe('the features of a plan', () => {
  test('that it switches off are not switched on by the owner of an install', async () => {
    const { institute } = await freshWorld()
    await grant(app, institute, { features: { courses_video: false, mcp: true } })
    const change = (flags: object) => institute.owner.patch('/feature-flags', flags)
    expect(await change({ courses_video: true })).toMatchObject({
      status: 403,
      body: { error: { code: 'FORBIDDEN', details: { reason: 'not_self_manageable', flags: ['courses_video'] } } },
    })
    expect((await change({ courses_video: false, mcp: false, sms_notifications: true })).body).toMatchObject({
      courses_video: false,
      mcp: false,
      sms_notifications: true,
    })
    expect((await change({ mcp: true })).body).toMatchObject({ mcp: true })
  })
})
