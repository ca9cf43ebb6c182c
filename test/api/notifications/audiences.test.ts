import { describe, expect, test } from 'vitest'
import { sweepOverdueJob } from '#modules/billing/sweep.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import type { Client } from '#kit/client.ts'
import { newFamily } from '#kit/family.ts'
import { useMailApp } from '#kit/mail-app.ts'
import { auditOf } from '#kit/records.ts'
import { newGroup, newPupil, newSession } from '../examples/sessions.ts'

const at = useMailApp()
const { fresh, log } = at

const MESSAGE = { templateKey: 'message', channels: ['email'], data: { title: 'Trip', message: 'Bring water.' } }

const ask = (audience: object, more: object = {}, as: Client = at.institute.owner) =>
  as.post('/notifications/send', { ...MESSAGE, audience, ...more })
const rehearse = (audience: object, more: object = {}, as?: Client) => ask(audience, { dryRun: true, ...more }, as)

/** Who was written to, each address once. */
const told = async (): Promise<string[]> => {
  await at.app.drain()
  return at.mails.map(({ to }) => to).toSorted()
}

describe('an audience', () => {
  test('of groups is their active students and guardians, each once, or those of them that are meant', async () => {
    await fresh()
    const family = await newFamily(at.institute)
    const other = await newGroup(at.institute)
    await at.institute.owner.post('/enrollments', { studentId: family.studentId, groupId: other })
    await newPupil(at.institute, other, { email: 'other@example.org' })
    const groupIds = [family.groupId, other]
    expect((await rehearse({ kind: 'group', groupIds })).body).toMatchObject({ people: 5, queued: 4 })
    expect((await rehearse({ kind: 'group', groupIds, to: 'guardians' })).body).toMatchObject({ people: 3, queued: 2 })
    expect((await rehearse({ kind: 'group', groupIds, to: 'students' })).body).toMatchObject({ people: 2, queued: 2 })
    expect((await ask({ kind: 'group', groupIds, to: 'guardians' })).status).toBe(202)
    expect(await told()).toEqual(['father@example.org', 'mother@example.org'])
  })

  test('has no child whom nothing reaches and whose parents are told, and has one who has no parents here', async () => {
    await fresh()
    const { owner } = at.institute
    const family = await newFamily(at.institute)
    expect((await owner.patch(`/students/${family.studentId}`, { email: null, phone: null })).status).toBe(200)
    const audience = { kind: 'group', groupIds: [family.groupId] }
    const { body } = await rehearse(audience)
    expect(body).toMatchObject({ people: 3, queued: 2 })
    expect(body.unreached).toMatchObject([{ recipient: { kind: 'guardian', id: family.auntId } }])
    const alone = await newPupil(at.institute, family.groupId)
    expect((await rehearse(audience)).body.unreached).toContainEqual(
      expect.objectContaining({ recipient: expect.objectContaining({ kind: 'student', id: alone }) }),
    )
  })

  test('of a branch is whoever is active there', async () => {
    await fresh()
    const { owner } = at.institute
    const north = (await owner.post('/branches', { name: 'North' })).body.id
    await newPupil({ owner, branchId: north }, await newGroup({ owner, branchId: north }), { email: 'n@example.org' })
    await at.student()
    expect((await rehearse({ kind: 'branch', branchId: north })).body).toMatchObject({ people: 1, queued: 1 })
    const here = await at.institute.member({ permissions: ['notifications.send'], branchId: at.institute.branchId })
    expect((await rehearse({ kind: 'branch', branchId: north }, {}, here)).status).toBe(404)
  })

  test('of who owes is who pays what is overdue, and for who may read invoices', async () => {
    await fresh()
    const { owner } = at.institute
    const family = await newFamily(at.institute)
    const alone = await at.student({ email: 'alone@example.org' })
    const lines = [{ description: 'Lessons', unitAmountMinor: 10_000 }]
    for (const [studentId, dueDate] of [
      [family.studentId, '2026-03-10'],
      [alone, '2026-12-31'],
    ]) {
      const { id } = (await owner.post('/invoices', { studentId, lines, dueDate })).body
      expect((await owner.post(`/invoices/${id}/issue`, {})).status).toBe(200)
    }
    expect((await ask({ kind: 'debtors' })).body.error.details.reason).toBe('nobody_meant')
    await at.app.drain()
    at.app.clock.advance(20 * 24 * 3600)
    await runInTransaction(at.app.app.runtime, systemAuditContext('test'), async (unit) =>
      unit.system().enqueue(sweepOverdueJob, {}),
    )
    await at.app.drain()
    at.mails.length = 0
    expect((await rehearse({ kind: 'debtors', isOverdue: false })).body).toMatchObject({ people: 2 })
    expect((await rehearse({ kind: 'debtors', isOverdue: false, groupIds: [family.groupId] })).body).toMatchObject({
      people: 1,
    })
    expect((await ask({ kind: 'debtors' })).body).toMatchObject({ people: 1, queued: 1 })
    expect(await told()).toEqual(['mother@example.org'])
    const sender = await at.institute.member({ permissions: ['notifications.send'] })
    expect((await rehearse({ kind: 'debtors' }, {}, sender)).body.error.details).toMatchObject({
      reason: 'permission_missing',
      permissions: ['invoices.read'],
    })
  })

  test('of who was absent is those of that day, and nobody else', async () => {
    await fresh()
    const { owner } = at.institute
    const family = await newFamily(at.institute)
    const came = await newPupil(at.institute, family.groupId, { email: 'came@example.org' })
    const start = new Date(at.app.clock.millis() + 60_000).toISOString()
    const end = new Date(at.app.clock.millis() + 3_600_000).toISOString()
    const sessionId = await newSession(at.institute, family.groupId, { scheduledStart: start, scheduledEnd: end })
    const entries = [
      { studentId: family.studentId, status: 'absent' },
      { studentId: came, status: 'present' },
    ]
    expect((await owner.put(`/sessions/${sessionId}/attendance`, { entries })).status).toBe(200)
    await at.app.drain()
    at.mails.length = 0
    expect((await rehearse({ kind: 'absent', to: 'guardians' })).body).toMatchObject({ people: 3, queued: 2 })
    const far = await newGroup(at.institute)
    expect((await rehearse({ kind: 'absent', groupIds: [far] })).body).toMatchObject({ people: 0 })
    expect((await rehearse({ kind: 'absent', date: '2026-01-05' })).body).toMatchObject({ people: 0 })
    expect((await ask({ kind: 'absent', date: '2026-01-05' })).status).toBe(409)
    const sender = await at.institute.member({ permissions: ['notifications.send'] })
    expect((await rehearse({ kind: 'absent' }, {}, sender)).status).toBe(403)
  })

  test('names a group or a branch, and a message somebody', async () => {
    await fresh()
    expect((await ask({ kind: 'group' })).status).toBe(422)
    expect((await ask({ kind: 'branch' })).status).toBe(422)
    expect((await at.institute.owner.post('/notifications/send', MESSAGE)).status).toBe(422)
  })
})

describe('a dry run', () => {
  test('says how many by which channel and language, whom it does not reach, and what each would read', async () => {
    await fresh()
    const { groupId, auntId } = await newFamily(at.institute)
    await at.limit(100)
    const { status, body } = await rehearse({ kind: 'group', groupIds: [groupId] }, { channels: ['email', 'in_app'] })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      batchId: null,
      dryRun: true,
      people: 4,
      queued: 3,
      channels: [
        { channel: 'in_app', messages: 0, goesAt: null },
        { channel: 'email', messages: 3, goesAt: null },
      ],
      unreached: [{ recipient: { kind: 'guardian', id: auntId }, because: 'no_address' }],
      counted: 3,
      room: 100,
      budget: null,
    })
    expect(body.languages.reduce((all: number, { people }: { people: number }) => all + people, 0)).toBe(4)
    const arabic = body.texts.find(({ locale }: { locale: string }) => locale === 'ar')
    expect(arabic).toMatchObject({
      channel: 'email',
      title: '\u2068Trip\u2069',
      body: expect.stringContaining('تحية طيبة'),
    })
    expect(arabic.body).toContain('Bring water.')
    expect(await told()).toEqual([])
    expect(await log()).toEqual([])
    expect(await auditOf(at.app, at.institute, 'notifications.send')).toEqual([])
  })

  test('leaves its Idempotency-Key free, and a message goes once, however often it is asked', async () => {
    await fresh()
    const { groupId } = await newFamily(at.institute)
    const audience = { kind: 'group', groupIds: [groupId] }
    const named = (body: object) =>
      at.institute.owner.send('POST', '/notifications/send', {
        body: { ...MESSAGE, audience, ...body },
        headers: { 'Idempotency-Key': 'one' },
      })
    expect((await named({ dryRun: true })).status).toBe(200)
    const [first, second] = [await named({}), await named({})]
    expect([first.status, second.status]).toEqual([202, 202])
    expect(second.body).toEqual(first.body)
    expect(await told()).toHaveLength(3)
    const { batchId } = first.body
    expect(await log(`&sourceId=${batchId}`)).toHaveLength(4)
    expect(await log(`&sourceId=${batchId}&status=sent`)).toHaveLength(3)
    expect(await log(`&sourceId=${groupId}`)).toEqual([])
  })

  test('says when a message goes that waits for quiet hours', async () => {
    await fresh()
    const { groupId } = await newFamily(at.institute)
    await at.institute.owner.patch('/settings', { quietHours: { from: '00:00', to: '23:59' } })
    const { body } = await rehearse({ kind: 'group', groupIds: [groupId] })
    expect(body.channels).toMatchObject([{ channel: 'email', goesAt: expect.stringMatching(/T2[01]:59:00.000Z$/) }])
    expect((await ask({ kind: 'group', groupIds: [groupId] })).body.queued).toBe(3)
    expect(await told()).toEqual([])
    const [message] = await log('&status=queued')
    expect(message).toMatchObject({ because: 'quiet_hours', readAt: null })
  })

  test('refuses nothing for reaching nobody', async () => {
    await fresh()
    const studentIds = [await at.newStudent({})]
    const recipients = { studentIds }
    const body = { ...MESSAGE, recipients }
    expect((await at.institute.owner.post('/notifications/send', { ...body, dryRun: true })).body).toMatchObject({
      people: 1,
      queued: 0,
      unreached: [{ because: 'no_address' }],
    })
    expect((await at.institute.owner.post('/notifications/send', body)).body.error.details.reason).toBe(
      'nobody_reached',
    )
  })
})

test('a message’s page tells of each try, and of its reading in the app', async () => {
  await fresh()
  const member = await at.institute.member({ role: 'guardian' })
  const recipients = { userIds: [member.userId] }
  const body = { ...MESSAGE, channels: ['email', 'in_app'], recipients }
  expect((await at.institute.owner.post('/notifications/send', body)).status).toBe(202)
  await at.app.drain()
  const [entry] = (await member.get('/me/notifications')).body.data
  await member.post(`/me/notifications/${entry.id}/read`)
  const logged = await log()
  const one = async (channel: string) => {
    const { id } = logged.find((message: { channel: string }) => message.channel === channel)
    return (await at.institute.owner.get(`/notifications/${id}`)).body
  }
  expect(await one('email')).toMatchObject({ tries: [{ outcome: 'sent', reason: null }], because: null })
  expect(await one('in_app')).toMatchObject({ tries: [], readAt: expect.stringMatching(/^20/) })
})
