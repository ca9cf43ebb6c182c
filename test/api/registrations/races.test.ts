import { afterAll, beforeAll, expect, test } from 'vitest'
import { engine, startApp, type TestApp } from '#kit/app.ts'
import type { Client, Reply } from '#kit/client.ts'
import { grant } from '#kit/grant.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { Gate } from '#kit/pairs/gate.ts'
import { Ring } from '#kit/pairs/race.ts'
import { child, family, mother, newFee, openGroup } from './place.ts'

/** Two families at two desks: each of the two registrations pauses after every third of its statements. */

let app: TestApp
let school: TestInstitute
let owner: Client
let branchId: string
let ring: Ring

beforeAll(async () => {
  const gate = new Gate()
  app = await startApp({ wrap: gate.wrap })
  school = await makeInstitute(app)
  owner = school.owner
  branchId = school.branchId
  ring = new Ring(app, gate, [])
})
afterAll(() => app.close())

const LONGEST = 24

const register =
  (body: object, as: Client = owner) =>
  () =>
    as.post('/registrations', body)

/** Runs the two that `set` makes, with the first paused anywhere. */
const everywhere = async <T>(
  set: () => Promise<{ one: () => Promise<Reply>; other: () => Promise<Reply>; about: T }>,
  check: (replies: [Reply, Reply], about: T) => Promise<void>,
): Promise<void> => {
  for (let after = 1; after <= (engine === 'postgres' ? LONGEST : 1); after += 3) {
    const { one, other, about } = await set()
    await check(await ring.stopped(one, other, after), about)
    expect(ring.takeCollisions()).toBe(0)
  }
}

const outcomes = (replies: readonly Reply[]) =>
  replies.map(({ status, body }) => body.error?.details?.reason ?? status).toSorted()

test('one of two gets the last place, and nothing is left of the other', async () => {
  await everywhere(
    async () => {
      const group = await openGroup(owner, branchId, { capacity: 1 })
      const groups = [{ groupId: group.id }]
      const [one, other] = ['Rami', 'Lina'].map((firstName) =>
        family(branchId, { guardian: mother(), students: [child(branchId, { firstName, groups })], invoice: 'issue' }),
      ) as [ReturnType<typeof family>, ReturnType<typeof family>]
      return {
        one: register(one),
        other: register(other),
        about: { group, phones: [one.guardian.phone, other.guardian.phone] },
      }
    },
    async (replies, { group, phones }) => {
      expect(outcomes(replies)).toEqual([201, 'group_full'].toSorted())
      expect((await owner.get(`/groups/${group.id}`)).body.enrolledCount).toBe(1)
      const found = []
      for (const phone of phones) found.push(...(await owner.get(`/guardians?q=${phone.slice(1)}`)).body.data)
      expect(found).toHaveLength(1)
    },
  )
})

test('two whose groups are named in another order do not wait for each other', async () => {
  await everywhere(
    async () => {
      const [first, second] = [await openGroup(owner, branchId), await openGroup(owner, branchId)]
      const body = (...groups: { id: string }[]) =>
        family(branchId, { students: [child(branchId, { groups: groups.map(({ id: groupId }) => ({ groupId })) })] })
      return { one: register(body(first, second)), other: register(body(second, first)), about: undefined }
    },
    async (replies) => expect(outcomes(replies)).toEqual([201, 201]),
  )
})

test('one of two gets the last student of the plan', async () => {
  await everywhere(
    async () => {
      const at = await makeInstitute(app)
      await grant(app, at, { quotas: { maxStudents: 1 } })
      const body = () => family(at.branchId, { guardian: mother() })
      return { one: register(body(), at.owner), other: register(body(), at.owner), about: at.owner }
    },
    async (replies, as) => {
      expect(outcomes(replies)).toEqual([201, 'quota_exceeded'].toSorted())
      expect((await as.get('/students')).body.data).toHaveLength(1)
      expect((await as.get('/guardians')).body.data).toHaveLength(1)
    },
  )
})

test('one phone becomes one guardian', async () => {
  await everywhere(
    async () => {
      const guardian = mother()
      const body = (firstName: string) => family(branchId, { guardian, students: [child(branchId, { firstName })] })
      return { one: register(body('Rami')), other: register(body('Lina')), about: undefined }
    },
    async (replies) => expect(outcomes(replies)).toEqual([201, 'guardian_phone_taken'].toSorted()),
  )
})

test('a lead is registered once', async () => {
  await everywhere(
    async () => {
      const lead = (await owner.post('/leads', { firstName: 'Omar', lastName: 'Aziz', phone: '0501112233' })).body
      const body = { leadId: lead.id, students: [{}] }
      return { one: register(body), other: () => owner.post(`/leads/${lead.id}/convert`), about: undefined }
    },
    async (replies) => {
      const [first, second] = replies.map(({ status }) => status)
      expect([
        [201, 409],
        [409, 200],
      ]).toContainEqual([first, second])
    },
  )
})

test('a student who is there pays the registration once', async () => {
  await everywhere(
    async () => {
      const at = await makeInstitute(app)
      await newFee(at.owner, { name: 'Registration', kind: 'registration', recurrence: 'once', amountMinor: 5000 })
      const student = (await at.owner.post('/students', child(at.branchId))).body
      const groups = [
        await openGroup(at.owner, at.branchId, { feeMinor: 0 }),
        await openGroup(at.owner, at.branchId, { feeMinor: 0 }),
      ]
      const [one, other] = groups.map(({ id: groupId }) =>
        register({ students: [{ id: student.id, groups: [{ groupId }] }], invoice: 'draft' }, at.owner),
      ) as [() => Promise<Reply>, () => Promise<Reply>]
      return { one, other, about: { as: at.owner, id: student.id as string } }
    },
    async (replies, { as, id }) => {
      expect(outcomes(replies)).toEqual([201, 201])
      const invoices = (await as.get(`/students/${id}/invoices`)).body.data
      expect(invoices.map(({ total }: { total: { amountMinor: number } }) => total.amountMinor)).toEqual([5000])
    },
  )
})

test('what the enrollment costs is what is invoiced, also where the group changes its fee meanwhile', async () => {
  await everywhere(
    async () => {
      const group = await openGroup(owner, branchId)
      const body = family(branchId, {
        students: [child(branchId, { groups: [{ groupId: group.id }] })],
        invoice: 'issue',
      })
      return {
        one: register(body),
        other: () => owner.patch(`/groups/${group.id}`, { feeMinor: 50_000 }),
        about: undefined,
      }
    },
    async ([made, changed]) => {
      expect([made.status, changed.status]).toEqual([201, 200])
      const [student] = made.body.students
      expect(student.invoices[0].total.amountMinor).toBe(student.enrollments[0].priceMinor)
    },
  )
})
