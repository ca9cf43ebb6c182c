import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '#kernel/time/clock.ts'
import { newId } from '#kernel/basics/ids.ts'
import type { JobKind } from '#kernel/contract/module.ts'
import { createSmtpMailer } from '#ports/mail/smtp.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { Queue } from '#runtime/queue/queue.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { newFamily, newParent, type TestFamily } from '#kit/family.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { startSmtpSink, type SmtpSink } from '#kit/smtp-sink.ts'
import { newSession } from '../examples/sessions.ts'

/** That each person is told once, wherever their address stands and however often the work runs. */

let sink: SmtpSink
let app: TestApp
let institute: TestInstitute
let family: TestFamily

const TOKEN_SECONDS = 100 * 24 * 3600

beforeEach(async () => {
  sink = await startSmtpSink()
  app = await startApp({
    openMailer: () => createSmtpMailer({ url: sink.url, from: 'office@example.org', clock: systemClock }),
    config: { accessTokenSeconds: TOKEN_SECONDS, refreshTokenSeconds: TOKEN_SECONDS },
  })
  institute = await makeInstitute(app, { features: { basic_reports: true } })
  family = await newFamily(institute)
})
afterEach(async () => {
  await app.close()
  await sink.stop()
})

const nameOf = (address: string): string =>
  address.startsWith('user-') ? 'account' : address.replace('@example.org', '')

/** Who got a mail, in which language and with which subject; isolates are left out. */
const mailed = async () =>
  (await sink.messages())
    .map(({ envelope, subject = '', headers }) => ({
      to: nameOf(envelope.to[0] as string),
      locale: headers.find(({ key }) => key === 'content-language')?.value,
      subject: subject.replaceAll(/[\u2068\u2069]/g, '').replaceAll('\u00a0', ' '),
    }))
    .toSorted((one, other) => (`${one.to} ${one.subject}` < `${other.to} ${other.subject}` ? -1 : 1))

const log = async (query = '') => (await institute.owner.get(`/notifications?limit=100${query}`)).body.data

const absent = (sessionId: string, studentId: string) =>
  institute.owner.put(`/sessions/${sessionId}/attendance`, { entries: [{ studentId, status: 'absent' }] })

const account = (subject: string) => ({ to: 'account', locale: 'en', subject })

describe('a person with an account', () => {
  test('reads it in the app, is mailed at the address and in the language of the account, once as parent and teacher', async () => {
    const member = await institute.member({ role: 'guardian' })
    await member.patch('/me', { locale: 'he' })
    await newParent(institute, family.studentId, {
      userId: member.userId,
      email: 'old@example.org',
      preferredLocale: 'ar',
    })
    await institute.owner.patch(`/staff/${family.teacherStaffId}`, { userId: member.userId })
    const sessionId = await newSession(institute, family.groupId)
    await institute.owner.patch(`/sessions/${sessionId}`, { status: 'cancelled', reason: 'Rain' })
    await app.drain()
    const toThem = (await mailed()).filter(({ to }) => to === 'account')
    expect(toThem).toEqual([{ ...account('שיעור בוטל: Algebra 1, יום שני, 2 במרץ 2026'), locale: 'he' }])
    expect((await mailed()).map(({ to }) => to)).not.toContain('old')
    const { data } = (await member.get('/me/notifications')).body
    expect(data).toEqual([
      {
        id: data[0].id,
        templateKey: 'session.cancelled',
        locale: 'he',
        title: expect.stringContaining('שיעור בוטל'),
        body: expect.stringContaining('Algebra 1'),
        payload: { sessionId, groupId: family.groupId },
        readAt: null,
        createdAt: app.clock.now(),
      },
    ])
  })

  test('who left the institute is reached by the address on their record', async () => {
    const member = await institute.member({ role: 'guardian' })
    await newParent(institute, family.studentId, { userId: member.userId, email: 'record@example.org' })
    await institute.owner.patch(`/members/${member.membershipId}`, { status: 'disabled' })
    await absent(await newSession(institute, family.groupId), family.studentId)
    await app.drain()
    expect((await mailed()).map(({ to }) => to)).toEqual(['father', 'mother', 'record'])
  })
})

test('a lesson that is moved is told of where it is still to come, and not where it is cancelled meanwhile', async () => {
  const moved = (id: string, day: string) =>
    institute.owner.patch(`/sessions/${id}`, {
      scheduledStart: `${day}T16:00:00.000Z`,
      scheduledEnd: `${day}T17:30:00.000Z`,
    })
  const corrected = await newSession(institute, family.groupId, {
    scheduledStart: '2026-02-27T14:00:00.000Z',
    scheduledEnd: '2026-02-27T15:30:00.000Z',
  })
  await moved(corrected, '2026-02-26')
  const cancelled = await newSession(institute, family.groupId)
  await moved(cancelled, '2026-03-07')
  await institute.owner.patch(`/sessions/${cancelled}`, { status: 'cancelled', reason: 'Rain' })
  const written = await newSession(institute, family.groupId)
  await institute.owner.patch(`/sessions/${written}`, { topic: 'Fractions' })
  await app.drain()
  expect(await log('&templateKey=session.moved')).toEqual([])
  await moved(written, '2026-03-06')
  await app.drain()
  const keys = (await log()).filter(({ templateKey }: { templateKey: string }) => templateKey === 'session.moved')
  expect(new Set(keys.map(({ payload }: { payload: { sessionId: string } }) => payload.sessionId))).toEqual(
    new Set([written]),
  )
})

test('a large group is told of a move, each of it once', async () => {
  const size = 60
  for (let n = 0; n < size; n += 1) {
    const student = { branchId: institute.branchId, firstName: 'S', lastName: `${n}`, email: `s${n}@example.org` }
    const { body } = await institute.owner.post('/students', student)
    await institute.owner.post('/enrollments', { studentId: body.id, groupId: family.groupId })
  }
  const id = await newSession(institute, family.groupId)
  await institute.owner.patch(`/sessions/${id}`, { scheduledEnd: '2026-03-02T16:00:00.000Z' })
  await app.drain()
  const mails = (await mailed()).map(({ to }) => to)
  expect(mails.filter((to) => /^s\d+$/.test(to)).toSorted()).toEqual(
    Array.from({ length: size }, (_, n) => `s${n}`).toSorted(),
  )
})

test('events of several changes are told together: of each, once', async () => {
  const sessionIds = [await newSession(institute, family.groupId), await newSession(institute, family.groupId)]
  for (const sessionId of sessionIds) await absent(sessionId, family.studentId)
  await app.drain()
  expect((await mailed()).map(({ to }) => to)).toEqual(['father', 'father', 'mother', 'mother'])
  const told = (await log('&channel=email&status=sent')).map(
    ({ payload }: { payload: { sessionId: string } }) => payload.sessionId,
  )
  expect(told.toSorted()).toEqual([...sessionIds, ...sessionIds].toSorted())
})

test.each(['in one run', 'in two runs'])('an event that is told twice %s is told once', async (how) => {
  await absent(await newSession(institute, family.groupId), family.studentId)
  await app.app.database.write((db) =>
    db
      .insertInto('job')
      .columns(['id', 'tenant_id', 'kind', 'lane', 'payload', 'run_at', 'max_attempts', 'created_at'])
      .expression(
        db
          .selectFrom('job')
          .select((eb) => [eb.val(newId()).as('id'), 'tenant_id', 'kind'])
          .select((eb) => (how === 'in one run' ? eb.ref('lane') : eb.val('another')).as('lane'))
          .select(['payload', 'run_at', 'max_attempts', 'created_at'])
          .where('kind', '=', 'notifications.tell'),
      )
      .execute(),
  )
  await app.drain()
  expect((await mailed()).map(({ to }) => to)).toEqual(['father', 'mother'])
  expect(await log()).toHaveLength(3)
})

test('workers that run at once tell and send once', async () => {
  const kinds = new Map<string, JobKind>(
    app.app.modules.flatMap(({ jobs = [] }) => jobs.map((kind) => [kind.name, kind])),
  )
  const peer = new Queue(app.app.runtime, { kinds, log: pino({ level: 'silent' }), isOnlyProcess: false })
  const sessionIds = [1, 2, 3, 4].map(() => newSession(institute, family.groupId))
  for (const sessionId of sessionIds) await absent(await sessionId, family.studentId)
  await Promise.all([app.drain(), peer.drain(), app.drain()])
  await app.drain()
  expect((await mailed()).map(({ to }) => to)).toEqual([...Array(4).fill('father'), ...Array(4).fill('mother')])
  expect(await log('&status=sent')).toHaveLength(8)
})

test('a change that is rolled back tells nobody', async () => {
  const undone = runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) => {
    unit.tenant(institute.tenant, 'all').emit('tenant.locked', { subscriptionId: null, reason: null, source: 'manual' })
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  await app.drain()
  expect(await mailed()).toEqual([])
})
