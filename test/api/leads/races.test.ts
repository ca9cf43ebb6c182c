import { afterAll, beforeAll, expect, test } from 'vitest'
import { engine, NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import type { Client, Reply } from '#kit/client.ts'
import { worldOf, type World } from '#kit/examples.ts'
import { makeInstitute } from '#kit/institute.ts'
import { Gate } from '#kit/pairs/gate.ts'
import { Ring } from '#kit/pairs/race.ts'
import { newCourse } from '../examples/academics.ts'
import { newLead, registration, visitor } from '../examples/leads.ts'

/** Races of registrations and conversions: each of two changes pauses after every second of its statements. */

let app: TestApp
let world: World
let owner: Client
let site: Required<Awaited<ReturnType<typeof visitor>>>
let ring: Ring

beforeAll(async () => {
  const gate = new Gate()
  app = await startApp({ wrap: gate.wrap, config: NO_LIMITS })
  world = worldOf(app, await makeInstitute(app))
  owner = world.owner
  site = await visitor(world)
  ring = new Ring(app, gate, [])
})
afterAll(() => app.close())

type Send = () => Promise<Reply>

const LONGEST = 16

/**
 * Runs the two changes that `set` makes, with either one paused anywhere; `check` gets the replies in the order of
 * `set`.
 */
const everywhere = async <T>(
  set: () => Promise<{ one: Send; other: Send; about: T }>,
  check: (replies: [Reply, Reply], about: T) => Promise<void>,
): Promise<void> => {
  for (const turned of [false, true]) {
    for (let after = 1; after <= (engine === 'postgres' ? LONGEST : 1); after += 2) {
      const { one, other, about } = await set()
      const replies = await (turned ? ring.stopped(other, one, after) : ring.stopped(one, other, after))
      await check((turned ? replies.toReversed() : replies) as [Reply, Reply], about)
      expect(ring.takeCollisions()).toBe(0)
    }
  }
}

const statuses = (replies: readonly Reply[]) => replies.map(({ status }) => status)
const register = (body: object) => () => site.as.send('POST', '/public/registrations', { body, headers: site.headers })
const convert = (id: string) => () => owner.post(`/leads/${id}/convert`)
const leadOf = async (id: string) => (await owner.get(`/leads/${id}`)).body

test('a registration names the guardian who has the phone, while another request deletes one', async () => {
  await everywhere(
    async () => {
      const body = registration()
      const { id } = (await owner.post('/guardians', body.guardian)).body
      return { one: register(body), other: () => owner.delete(`/guardians/${id}`), about: id as string }
    },
    async (replies, known) => {
      expect([
        [201, 409],
        [201, 200],
      ]).toContainEqual(statuses(replies))
      const { guardianId } = await leadOf(replies[0].body.leadId)
      expect(guardianId === known).toBe(replies[1].status === 409)
      expect((await owner.get(`/guardians/${guardianId}`)).status).toBe(200)
    },
  )
})

test('two registrations with one phone share one guardian', async () => {
  await everywhere(
    async () => {
      const body = registration()
      const sibling = { ...body, firstName: 'Yusuf' }
      return { one: register(body), other: register(sibling), about: undefined }
    },
    async (replies) => {
      expect(statuses(replies)).toEqual([201, 201])
      const [one, other] = [await leadOf(replies[0].body.leadId), await leadOf(replies[1].body.leadId)]
      expect(one.guardianId).toBe(other.guardianId)
      expect(one.studentId).not.toBe(other.studentId)
    },
  )
})

test('a registration and the deactivation of its course', async () => {
  await everywhere(
    async () => {
      const courseId = await newCourse(world, { isPublic: true })
      const body = { ...registration(), courseId }
      return { one: register(body), other: () => owner.delete(`/courses/${courseId}`), about: undefined }
    },
    async (replies) => {
      expect([
        [201, 409],
        [404, 200],
      ]).toContainEqual(statuses(replies))
    },
  )
})

test('a lead is converted once, by either way', async () => {
  await everywhere(
    async () => {
      const { leadId, studentId } = (await register(registration())()).body
      const activate = () => owner.post(`/students/${studentId}/status`, { status: 'active' })
      return { one: convert(leadId), other: activate, about: leadId as string }
    },
    async (replies, leadId) => {
      expect(statuses(replies).toSorted()).toEqual([200, 409])
      expect((await leadOf(leadId)).status).toBe('converted')
    },
  )
})

test('a conversion and the deletion of its student', async () => {
  await everywhere(
    async () => {
      const { leadId, studentId } = (await register(registration())()).body
      const end = () => owner.delete(`/students/${studentId}`)
      return { one: convert(leadId), other: end, about: leadId as string }
    },
    async (replies, leadId) => {
      expect([
        [200, 200],
        [404, 200],
      ]).toContainEqual(statuses(replies))
      expect((await owner.get(`/leads/${leadId}`)).status).toBe(404)
    },
  )
})

test('a conversion that makes a student, and a change of the lead', async () => {
  await everywhere(
    async () => {
      const id = await newLead(world, { guardian: registration().guardian })
      return { one: convert(id), other: () => owner.patch(`/leads/${id}`, { status: 'lost' }), about: id }
    },
    async (replies, id) => {
      expect([
        [200, 409],
        [200, 200],
      ]).toContainEqual(statuses(replies))
      expect(await leadOf(id)).toMatchObject({ status: 'converted', studentId: replies[0].body.id })
    },
  )
})

test('two conversions of one lead', async () => {
  await everywhere(
    async () => {
      const id = await newLead(world, { guardian: registration().guardian })
      return { one: convert(id), other: convert(id), about: id }
    },
    async (replies) => expect(statuses(replies).toSorted()).toEqual([200, 409]),
  )
})
