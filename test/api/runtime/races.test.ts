import { afterAll, beforeAll, expect, test } from 'vitest'
import { engine, startApp, type TestApp } from '#kit/app.ts'
import type { Client, Reply } from '#kit/client.ts'
import { worldOf } from '#kit/examples.ts'
import { png, upload } from '#kit/files.ts'
import { makeInstitute, type TestInstitute, type TestMember } from '#kit/institute.ts'
import { Gate } from '#kit/pairs/gate.ts'
import { Ring } from '#kit/pairs/race.ts'
import { mailedToken } from '#kit/sign-in.ts'
import type { Caller } from '#kernel/who/actor.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { completeLesson } from '../../../src/modules/curriculum/learner.ts'
import { newPayment } from '../examples/billing.ts'
import { newCourseOf, newLearner, newVideoCourse } from '../examples/curriculum.ts'
import { newGroup, newPupil, newSession } from '../examples/sessions.ts'

/** Races that the pairs of examples do not reach: each of two changes pauses after each of its statements. */

let app: TestApp
let institute: TestInstitute
let owner: Client
let ring: Ring

beforeAll(async () => {
  const gate = new Gate()
  app = await startApp({ wrap: gate.wrap })
  institute = await makeInstitute(app, { features: { sms_notifications: true } })
  owner = institute.owner
  ring = new Ring(app, gate, [])
})
afterAll(() => app.close())

type Send = () => Promise<Reply>

/** As many statements as most of these changes have. */
const LONGEST = 10
let made = 0
const fresh = (word: string): string => `${word} ${(made += 1)}`

/**
 * Runs the two changes that `set` makes, with either one paused anywhere; `check` gets the replies in the order of
 * `set`.
 */
const everywhere = async <T>(
  set: () => Promise<{ one: Send; other: Send; about: T }>,
  check: (statuses: [number, number], about: T) => Promise<void> | void,
  longest = LONGEST,
): Promise<void> => {
  for (const turned of [false, true]) {
    for (let after = 1; after <= (engine === 'postgres' ? longest : 1); after += 1) {
      const { one, other, about } = await set()
      const replies = await (turned ? ring.stopped(other, one, after) : ring.stopped(one, other, after))
      const [first, second] = turned ? replies.toReversed() : replies
      await check([first?.status ?? 0, second?.status ?? 0], about)
      expect(ring.takeCollisions()).toBe(0)
    }
  }
}

const newBranch = async (): Promise<string> => (await owner.post('/branches', { name: fresh('Branch') })).body.id
const makeDefault = (id: string) => () => owner.patch(`/branches/${id}`, { isDefault: true })
const defaults = async () =>
  ((await owner.get('/branches')).body as { id: string; isDefault: boolean }[]).filter(({ isDefault }) => isDefault)

test('a session is held when it has entries, whoever marks and clears them at once', async () => {
  await everywhere(
    async () => {
      const groupId = await newGroup(institute)
      const entries = [{ studentId: await newPupil(institute, groupId), status: 'present' }]
      const sessionId = await newSession(institute, groupId)
      await owner.put(`/sessions/${sessionId}/attendance`, { entries })
      return {
        one: () => owner.put(`/sessions/${sessionId}/attendance`, { entries: [{ ...entries[0], status: 'late' }] }),
        other: () => owner.put(`/sessions/${sessionId}/attendance`, { entries: [] }),
        about: sessionId,
      }
    },
    async (statuses, sessionId) => {
      expect(statuses).toEqual([200, 200])
      const { status, entries } = (await owner.get(`/sessions/${sessionId}/attendance`)).body
      expect([
        ['held', 'late'],
        ['scheduled', null],
      ]).toContainEqual([status, entries[0].status])
    },
  )
})

test('of two concurrent new default branches one becomes the default', async () => {
  await everywhere(
    async () => {
      const [a, b] = [await newBranch(), await newBranch()]
      return { one: makeDefault(a), other: makeDefault(b), about: [a, b] }
    },
    async (statuses, about) => {
      expect(statuses).toEqual([200, 200])
      const found = await defaults()
      expect(found).toHaveLength(1)
      expect(about).toContain(found[0]?.id)
    },
  )
})

test('what lies in a till is counted by one of two closes', async () => {
  await everywhere(
    async () => {
      await newPayment(worldOf(app, institute))
      const close = () => owner.post('/tills/close', { counted: [{ method: 'cash', amountMinor: 10_000 }] })
      return { one: close, other: close, about: undefined }
    },
    (statuses) => expect(statuses.toSorted()).toEqual([201, 409]),
  )
})

test('of two discounts of a student that come to more than the price one is given', async () => {
  await everywhere(
    async () => {
      const studentId = await newPupil(institute, await newGroup(institute))
      const discount = { studentId, kind: 'percent', value: 60, label: 'Choir', validFrom: '2026-03-01' }
      const give = () => owner.post('/discounts', discount)
      return { one: give, other: give, about: undefined }
    },
    (statuses) => expect(statuses.toSorted()).toEqual([201, 409]),
  )
})

test('a branch is deleted or becomes the default, not both', async () => {
  await everywhere(
    async () => {
      const id = await newBranch()
      return { one: makeDefault(id), other: () => owner.delete(`/branches/${id}`), about: id }
    },
    async (statuses) => {
      expect([
        [200, 409],
        [404, 200],
      ]).toContainEqual(statuses)
      expect(await defaults()).toHaveLength(1)
    },
  )
})

test('a withdrawn student leaves all groups, also one that they are just leaving', async () => {
  await everywhere(
    async () => {
      const studentId = await newPupil(institute, await newGroup(institute))
      const [enrollment] = (await owner.get(`/students/${studentId}/enrollments`)).body.data
      return {
        one: () => owner.post(`/students/${studentId}/status`, { status: 'withdrawn' }),
        other: () => owner.post(`/enrollments/${enrollment.id}/drop`, {}),
        about: enrollment.id as string,
      }
    },
    async ([withdrawn, dropped], id) => {
      expect(withdrawn).toBe(200)
      expect([200, 409]).toContain(dropped)
      expect((await owner.get(`/enrollments/${id}`)).body.status).toBe('dropped')
    },
  )
})

/** Invites somebody as a student, who has not accepted yet. */
const invited = async () => {
  const { id } = (await owner.post('/students', { branchId: institute.branchId, firstName: 'Dana', lastName: 'Levi' }))
    .body
  const email = `${fresh('student').replace(' ', '-')}@example.org`
  await owner.post(`/students/${id}/invite`, { email })
  await app.drain()
  const { data } = (await owner.get('/members?limit=100')).body
  const { membershipId } = data.find((member: { email: string }) => member.email === email)
  const body = { token: mailedToken(app, email, 'invitation'), password: 'a long enough phrase', fullName: 'Dana Levi' }
  return { id: id as string, membershipId: membershipId as string, accept: () => app.post('/invitations/accept', body) }
}

test('an invitation is accepted or withdrawn', async () => {
  await everywhere(
    async () => {
      const { membershipId, accept } = await invited()
      return { one: accept, other: () => owner.delete(`/members/${membershipId}`), about: undefined }
    },
    (statuses) =>
      expect([
        [200, 200],
        [400, 200],
      ]).toContainEqual(statuses),
  )
})

test('a student is deleted while their invitation is accepted', async () => {
  await everywhere(
    async () => {
      const { id, accept } = await invited()
      return { one: accept, other: () => owner.delete(`/students/${id}`), about: undefined }
    },
    (statuses) => expect(statuses).toEqual([200, 200]),
  )
})

test('the settings of a provider are stored, also while the ones before are deleted', async () => {
  const path = '/notification-providers/sms'
  const url = 'https://sms.example.org/send'
  await everywhere(
    async () => {
      const body = () => ({ provider: 'https', url, token: `token-${(made += 1)}` })
      await owner.put(path, body())
      return { one: () => owner.put(path, body()), other: () => owner.delete(path), about: undefined }
    },
    (statuses) => expect(statuses).toEqual([200, 200]),
  )
})

const statusOf = async (courseId: string): Promise<string> =>
  (await owner.get(`/courses/${courseId}/enrollments`)).body.data[0].status

test('the last lesson of a course completes it, or was unpublished before', async () => {
  await everywhere(
    async () => {
      const { member, courseId, lessonIds } = await newCourseOf({ app, institute })
      return {
        one: () => member.post(`/me/lessons/${lessonIds[0]}/complete`),
        other: () => owner.post(`/lessons/${lessonIds[0]}/unpublish`),
        about: courseId,
      }
    },
    async ([completed, unpublished], courseId) => {
      expect(unpublished).toBe(200)
      expect([
        [200, 'completed'],
        [404, 'active'],
      ]).toContainEqual([completed, await statusOf(courseId)])
    },
    16,
  )
})

test('the last lesson of a course completes it, also while one that was completed before is unpublished', async () => {
  await everywhere(
    async () => {
      const { member, courseId, lessonIds } = await newCourseOf({ app, institute }, 2)
      await member.post(`/me/lessons/${lessonIds[0]}/complete`)
      return {
        one: () => member.post(`/me/lessons/${lessonIds[1]}/complete`),
        other: () => owner.post(`/lessons/${lessonIds[0]}/unpublish`),
        about: courseId,
      }
    },
    async (statuses, courseId) => expect([...statuses, await statusOf(courseId)]).toEqual([200, 200, 'completed']),
    16,
  )
})

const recordedOf = async (type: string, courseId: string): Promise<number> => {
  const { read } = app.app.database
  const events = await read
    .selectFrom('event')
    .select('body')
    .where('tenant_id', '=', institute.tenant.id)
    .where('type', '=', type)
    .execute()
  return events.filter(({ body }) => JSON.parse(body).data.courseId === courseId).length
}

/** Completes a lesson without the lock on the account, under which the requests of one person wait for each other. */
const completing =
  ({ userId }: TestMember, lessonId: string): Send =>
  async () => {
    const { runtime } = app.app
    const caller = { actor: { type: 'user', userId } } as Caller
    const body = await runInTransaction(runtime, systemAuditContext('lessons.complete'), (unit) =>
      completeLesson(unit.tenant(institute.tenant, 'all'), caller, lessonId),
    )
    return { status: 200, body } as Reply
  }

test('the last two lessons of a course, completed at once, complete it once', async () => {
  await everywhere(
    async () => {
      const { member, courseId, lessonIds } = await newCourseOf({ app, institute }, 2)
      const [one, other] = lessonIds.map((id) => completing(member, id))
      return { one: one as Send, other: other as Send, about: courseId }
    },
    async (statuses, courseId) => {
      expect([...statuses, await statusOf(courseId)]).toEqual([200, 200, 'completed'])
      expect(await recordedOf('lesson.completed', courseId)).toBe(2)
      expect(await recordedOf('course.completed', courseId)).toBe(1)
    },
    16,
  )
})

test('two sections that are added to a course stand after each other', async () => {
  await everywhere(
    async () => {
      const courseId = await newVideoCourse(institute)
      const add: Send = () => owner.post(`/courses/${courseId}/sections`, { title: 'Verbs' })
      return { one: add, other: add, about: courseId }
    },
    async (statuses, courseId) => {
      expect(statuses).toEqual([201, 201])
      const { sections } = (await owner.get(`/courses/${courseId}/curriculum`)).body
      expect(sections.map(({ sortOrder }: { sortOrder: number }) => sortOrder)).toEqual([0, 1])
    },
  )
})

test('a course that a student is given twice is one', async () => {
  await everywhere(
    async () => {
      const courseId = await newVideoCourse(institute)
      const studentId = await newLearner(institute)
      const give: Send = () => owner.post(`/courses/${courseId}/enrollments`, { studentId })
      return { one: give, other: give, about: courseId }
    },
    async (statuses, courseId) => {
      expect(statuses).toEqual([201, 201])
      expect((await owner.get(`/courses/${courseId}/enrollments`)).body.data).toHaveLength(1)
    },
  )
})

test('an upload that is completed twice becomes one file, which the other is told', async () => {
  await everywhere(
    async () => {
      const completion = await upload(app, owner, png(fresh('picture')))
      const replies: Reply[] = []
      const complete: Send = async () => {
        const reply = await owner.post('/files/complete', completion)
        replies.push(reply)
        return reply
      }
      return { one: complete, other: complete, about: replies }
    },
    (statuses, replies) => {
      expect(statuses.toSorted()).toEqual([201, 409])
      const [completed, refused] = replies.toSorted((one, other) => one.status - other.status)
      expect(refused?.body.error.details.fileId).toBe(completed?.body.id)
    },
    20,
  )
})

test('all who ask for an export are answered the one that there is', async () => {
  await everywhere(
    async () => {
      const { owner: asking } = await makeInstitute(app)
      const replies: Reply[] = []
      const ask: Send = async () => {
        const reply = await asking.post('/export')
        replies.push(reply)
        return reply
      }
      return { one: ask, other: ask, about: replies }
    },
    (statuses, replies) => {
      expect(statuses).toEqual([200, 200])
      expect(replies[0]?.body.id).toBe(replies[1]?.body.id)
    },
  )
})
