import ICAL from 'ical.js'
import nodeIcal from 'node-ical'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute, type TestMember } from '#kit/institute.ts'
import { linkAccount } from '#kit/link-account.ts'
import { newKey } from '#kit/mcp.ts'
import { putInto } from '#kit/tenant-states.ts'
import { newGroup, newPupil, newSession, newStaff } from '../examples/sessions.ts'

let app: TestApp
let institute: TestInstitute
let owner: Client

beforeAll(async () => {
  // Monday 2026-03-02, ten in the morning in Jerusalem. Clocks there go forward on 27 March.
  app = await startApp()
  institute = await makeInstitute(app)
  owner = institute.owner
})
afterAll(() => app.close())

interface Event {
  uid: string
  start: string
  end: string
  summary: string
  location: string
  description: string
  status: string
}

const byStart = (events: Event[]): Event[] => events.toSorted((one, two) => (one.start < two.start ? -1 : 1))

/** As Mozilla's reader has it. */
const readByIcalJs = (text: string): Event[] => {
  const all = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')
  return byStart(
    all.map((component) => {
      const { uid, startDate, endDate, summary, location, description } = new ICAL.Event(component)
      return {
        uid,
        start: startDate.toJSDate().toISOString(),
        end: endDate.toJSDate().toISOString(),
        summary,
        location,
        description,
        status: String(component.getFirstPropertyValue('status')),
      }
    }),
  )
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const readByNodeIcal = (text: string): Event[] =>
  byStart(
    Object.values(nodeIcal.sync.parseICS(text)).flatMap((event) =>
      event?.type === 'VEVENT'
        ? [
            {
              uid: event.uid,
              start: event.start.toISOString(),
              end: (event.end as Date).toISOString(),
              summary: textOf(event.summary),
              location: textOf(event.location),
              description: textOf(event.description),
              status: String(event.status),
            },
          ]
        : [],
    ),
  )

const fetched = async (url: string, headers: Record<string, string> = {}) =>
  fetch(app.url + new URL(url).pathname, { headers })

const addressOf = async (member: Client): Promise<string> => {
  const { status, body } = await member.post('/me/calendar')
  expect(status).toBe(200)
  return body.url as string
}

/** The events, about which both readers agree. */
const eventsAt = async (url: string): Promise<Event[]> => {
  const reply = await fetched(url)
  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
  const text = await reply.text()
  const events = readByIcalJs(text)
  expect(readByNodeIcal(text)).toEqual(events)
  return events
}

const at = (scheduledStart: string, fields: Record<string, unknown> = {}) => ({
  scheduledStart,
  scheduledEnd: new Date(Date.parse(scheduledStart) + 3_600_000).toISOString(),
  ...fields,
})

const teacher = async () => {
  const member = await institute.member({ role: 'teacher' })
  return { member, staffId: await newStaff(institute, { userId: member.userId }) }
}

let phones = 0
const guardianOf = async (studentId: string): Promise<TestMember> => {
  const member = await institute.member({ role: 'guardian' })
  phones += 1
  const person = { firstName: 'Ruth', lastName: 'Levi', phone: `+97250124${String(phones).padStart(4, '0')}` }
  const { body } = await owner.post('/guardians', person)
  await linkAccount(app, 'guardian', { id: body.id, userId: member.userId })
  const link = { guardianId: body.id, relationship: 'mother', isPrimary: true, isPayer: true }
  expect((await owner.post(`/students/${studentId}/guardians`, link)).status).toBe(201)
  return member
}

describe('a calendar', () => {
  test('holds what a teacher gives, across a change of the clocks, in UTC', async () => {
    const { member, staffId } = await teacher()
    const hostile = 'Math;A, "B": C 👩🏽‍🏫 ' + 'ي'.repeat(60)
    const groupId = await newGroup(institute, { teacherStaffId: staffId, name: hostile, room: 'Room 3' })
    // Sixteen o'clock in Jerusalem, before and after.
    await newSession(institute, groupId, at('2026-03-24T14:00:00.000Z'))
    await newSession(institute, groupId, at('2026-03-31T13:00:00.000Z', { topic: 'Fractions; and, more' }))
    const [before, after] = await eventsAt(await addressOf(member))
    const { courseName } = (await owner.get(`/groups/${groupId}`)).body
    expect(before).toMatchObject({ start: '2026-03-24T14:00:00.000Z', end: '2026-03-24T15:00:00.000Z' })
    expect(before).toMatchObject({ summary: hostile, status: 'CONFIRMED', description: courseName })
    expect(before?.location).toMatch(/^Room 3, /)
    expect(after).toMatchObject({ start: '2026-03-31T13:00:00.000Z' })
    expect(after?.description).toBe(`${courseName}\nFractions; and, more`)
  })

  test('says that a session was moved or cancelled, under the same UID, in the language of the member', async () => {
    const { member, staffId } = await teacher()
    await member.patch('/me', { locale: 'ar' })
    const groupId = await newGroup(institute, { teacherStaffId: staffId, name: 'رياضيات' })
    const moved = await newSession(institute, groupId, at('2026-03-05T08:00:00.000Z'))
    const cancelled = await newSession(institute, groupId, at('2026-03-06T08:00:00.000Z'))
    const url = await addressOf(member)
    const first = await fetched(url)
    const etag = first.headers.get('etag') as string
    const events = readByIcalJs(await first.text())
    expect((await fetched(url, { 'If-None-Match': etag })).status).toBe(304)
    app.clock.advance(60)
    await owner.patch(`/sessions/${moved}`, at('2026-03-05T10:00:00.000Z'))
    await owner.patch(`/sessions/${cancelled}`, { status: 'cancelled', reason: 'Snow' })
    expect((await fetched(url, { 'If-None-Match': etag })).status).toBe(200)
    expect(await eventsAt(url)).toMatchObject([
      { uid: events[0]?.uid, start: '2026-03-05T10:00:00.000Z', summary: 'رياضيات', status: 'CONFIRMED' },
      { uid: events[1]?.uid, summary: 'أُلغيت: رياضيات', status: 'CANCELLED' },
    ])
  })

  test('of a guardian names the child; nothing of others is in it', async () => {
    const [groupId, other] = [await newGroup(institute, { name: 'Robotics' }), await newGroup(institute)]
    const studentId = await newPupil(institute, groupId)
    await newPupil(institute, other)
    await newSession(institute, groupId, at('2026-03-05T08:00:00.000Z'))
    await newSession(institute, other, at('2026-03-05T09:00:00.000Z'))
    const { firstName, lastName } = (await owner.get(`/students/${studentId}`)).body
    const events = await eventsAt(await addressOf(await guardianOf(studentId)))
    expect(events.map(({ summary }) => summary)).toEqual([`${firstName} ${lastName} · Robotics`])
  })
})

describe('the address', () => {
  test('is shown again; a new one ends the former, and it can be ended', async () => {
    const { member } = await teacher()
    expect((await member.get('/me/calendar')).body).toEqual({ url: null })
    expect((await member.delete('/me/calendar')).body).toEqual({ ok: true })
    const first = await addressOf(member)
    expect(first).toMatch(/\/calendar\/[\w-]{44}\.ics$/)
    expect((await member.get('/me/calendar')).body).toEqual({ url: first })
    const second = await addressOf(member)
    expect((await fetched(first)).status).toBe(404)
    expect((await fetched(second)).status).toBe(200)
    await member.delete('/me/calendar')
    expect((await fetched(second)).status).toBe(404)
    expect((await member.get('/me/calendar')).body).toEqual({ url: null })
  })

  test('ends with the membership, and cannot be made up', async () => {
    const { member } = await teacher()
    const url = await addressOf(member)
    const { pathname } = new URL(url)
    for (const wrong of ['x', pathname.replace('.ics', ''), pathname.replace(/.(\.ics)$/, '!$1'), '/calendar/.ics']) {
      expect((await fetch(new URL(wrong, `${app.url}/calendar/`))).status, wrong).toBe(404)
    }
    await owner.patch(`/members/${member.membershipId}`, { status: 'disabled' })
    expect((await fetched(url)).status).toBe(404)
  })

  test('stands in no audit entry', async () => {
    const { member } = await teacher()
    const url = await addressOf(member)
    const { data } = (await owner.get('/audit?entityType=calendar_address')).body
    expect(data[0]).toMatchObject({ action: 'me.make-calendar' })
    expect(JSON.stringify(data)).not.toContain(url.slice(-20))
  })

  test('is nothing for an API key', async () => {
    const key = app.as(await newKey(institute, ['groups.read']))
    for (const reply of [
      await key.get('/me/calendar'),
      await key.post('/me/calendar'),
      await key.delete('/me/calendar'),
    ]) {
      expect(reply).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } })
    }
  })

  test('says nothing while the institute is locked or archived', async () => {
    const locked = await makeInstitute(app)
    const url = await addressOf(locked.owner)
    const status = async () => (await fetched(url)).status
    for (const [state, replied] of [
      ['locked', 402],
      ['expired', 200],
      ['archived', 403],
    ] as const) {
      await putInto(app, locked, state)
      expect(await status(), state).toBe(replied)
    }
  })
})
