import { describe, expect, test } from 'vitest'
import { newId } from '#kernel/basics/ids.ts'
import { MailError } from '#ports/mail/port.ts'
import { newFamily, newParent } from '#kit/family.ts'
import { useMailApp } from '#kit/mail-app.ts'
import { auditOf } from '#kit/records.ts'
import { inAMinute, newGroup, newPupil, newSession } from '../examples/sessions.ts'

const at = useMailApp()
const { fresh, send, log, student, newStudent, limit } = at

describe('sending by hand', () => {
  test('tells everybody once, in their language, and says who cannot be told', async () => {
    await fresh({ defaultLocale: 'he' })
    const family = await newFamily(at.institute)
    const member = await at.institute.member({ role: 'guardian' })
    await newParent(at.institute, family.studentId, { userId: member.userId, email: 'other@example.org' })
    const reply = await send({
      groupId: family.groupId,
      studentIds: [family.studentId, family.studentId],
      guardianIds: [family.motherId, family.auntId],
      userIds: [member.userId],
    })
    expect(reply).toMatchObject({
      status: 202,
      body: {
        batchId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        queued: 4,
        skipped: [{ recipient: family.auntId, reason: 'email: There is no email address on record.' }],
      },
    })
    expect(at.mails).toEqual([])
    await at.app.drain()
    const sent = Object.fromEntries(at.mails.map(({ to, locale }) => [to.replace(/user-.*@/, 'account@'), locale]))
    expect(sent).toEqual({
      'student@example.org': 'he',
      'mother@example.org': 'ar',
      'father@example.org': 'he',
      'account@example.org': 'en',
    })
    const [mail] = at.mails.filter(({ to }) => to === 'mother@example.org')
    expect(mail?.subject).toContain('Closed')
    expect(mail?.text).toContain('We are closed.\n\nSee you on Monday.')
    expect(await log(`&templateKey=message`)).toHaveLength(5)
    expect(await log(`&recipientId=${family.motherId}`)).toMatchObject([
      { recipient: { kind: 'guardian', id: family.motherId, address: 'mother@example.org' } },
    ])
    const entries = await auditOf(at.app, at.institute, 'notifications.send')
    expect(entries).toMatchObject([{ entity_id: reply.body.batchId, metadata: { queued: 4, skipped: 1 } }])
  })

  test('reaches the caller’s branch only', async () => {
    await fresh()
    const north = (await at.institute.owner.post('/branches', { name: 'North' })).body.id
    const here = await student()
    const there = await newStudent({ email: 'there@example.org' }, north)
    const colleague = await at.institute.member({ role: 'front_desk' })
    const sender = await at.institute.member({ permissions: ['notifications.send'], branchId: at.institute.branchId })
    expect((await send({ studentIds: [here] }, {}, sender)).status).toBe(202)
    expect((await send({ studentIds: [here, there] }, {}, sender)).status).toBe(404)
    const farGroup = await newGroup({ ...at.institute, branchId: north })
    expect((await send({ groupId: farGroup }, {}, sender)).status).toBe(404)
    expect((await send({ userIds: [colleague.userId] }, {}, sender)).status).toBe(404)
    const staff = { branchId: at.institute.branchId, firstName: 'A', lastName: 'B', userId: colleague.userId }
    await at.institute.owner.post('/staff', staff)
    expect((await send({ userIds: [colleague.userId] }, {}, sender)).status).toBe(202)
    await send({ studentIds: [there] })
    await at.app.drain()
    expect(await log('', sender)).toHaveLength(2)
    expect(await log()).toHaveLength(3)
    const [foreign] = (await log()).filter(({ recipient }: { recipient: { id: string } }) => recipient.id === there)
    expect((await sender.get(`/notifications/${foreign.id}`)).status).toBe(404)
    const { tries, ...read } = (await at.institute.owner.get(`/notifications/${foreign.id}`)).body
    expect(read).toEqual(foreign)
    expect(tries).toMatchObject([{ outcome: 'sent' }])
  })

  test('skips members who left, and refuses what nobody can send', async () => {
    await fresh()
    const left = await at.institute.member({ role: 'guardian' })
    await at.institute.owner.patch(`/members/${left.membershipId}`, { status: 'disabled' })
    expect((await send({ userIds: [left.userId] })).body).toMatchObject({
      queued: 0,
      skipped: [{ recipient: left.userId, reason: 'They have no active account here any more.' }],
    })
    const studentIds = [await student()]
    expect((await send({ studentIds: [newId()] })).status).toBe(404)
    expect((await send({})).status).toBe(422)
    expect((await send({ studentIds }, { channels: [] })).status).toBe(422)
    expect((await send({ studentIds }, { channels: ['pigeon'] })).status).toBe(422)
    expect((await send({ studentIds }, { templateKey: 'nothing' })).status).toBe(422)
    expect(await send({ studentIds }, { data: { title: 'No message' } })).toMatchObject({
      status: 422,
      body: { error: { details: { issues: [{ path: ['data'], message: 'Must have a value for message.' }] } } },
    })
    expect((await send({ studentIds: Array.from({ length: 10_001 }, newId) })).status).toBe(422)
  })

  test('over a channel that the institute does not have or has not set up is refused; beside one that works it is skipped', async () => {
    await fresh()
    const studentIds = [await student({ phone: '+972501234567' })]
    expect(await send({ studentIds }, { channels: ['sms'] })).toMatchObject({
      status: 403,
      body: { error: { code: 'FEATURE_DISABLED', details: { feature: 'sms_notifications' } } },
    })
    await fresh({ features: { sms_notifications: true, whatsapp_notifications: true } })
    const again = [await student({ phone: '+972501234567' })]
    const alone = await send({ studentIds: again }, { channels: ['sms', 'whatsapp', 'push'] })
    expect(alone).toMatchObject({ status: 409, body: { error: { details: { reason: 'nobody_reached' } } } })
    const reply = await send({ studentIds: again }, { channels: ['email', 'sms', 'whatsapp', 'push'] })
    expect(reply.body).toMatchObject({ queued: 1 })
    expect(reply.body.skipped).toHaveLength(3)
    await at.app.drain()
    const skipped = await log('&status=skipped')
    expect(skipped.map(({ status, reason }: Record<string, string>) => `${status} ${reason}`)).toEqual(
      Array(3).fill('skipped This channel is not set up.'),
    )
  })

  test('fills a text of the institute’s own with the request’s data', async () => {
    await fresh()
    const template = { key: 'holiday', channel: 'email', locale: 'en', subject: 'Closed on {{data.day}}' }
    await at.institute.owner.post('/notification-templates', { ...template, body: '{{recipientName}}: {{data.day}}' })
    await send({ studentIds: [await student()] }, { templateKey: 'holiday', data: { day: 'Sunday {{link}}' } })
    await at.app.drain()
    expect(at.mails).toMatchObject([
      { subject: 'Closed on Sunday {{link}}', text: expect.stringMatching(/^Noor Haddad: Sunday \{\{link\}\}\n/) },
    ])
  })

  test('to ten thousand goes in slices', { timeout: 120_000 }, async () => {
    await fresh()
    const now = at.app.clock.now()
    const ids = Array.from({ length: 10_000 }, newId)
    await at.app.app.database.write(async (db) => {
      for (let start = 0; start < ids.length; start += 500) {
        await db
          .insertInto('student')
          .values(
            ids.slice(start, start + 500).map((id, n) => ({
              id,
              tenant_id: at.institute.tenant.id,
              branch_id: at.institute.branchId,
              student_number: `S-${String(100_000 + start + n)}`,
              first_name: 'Pupil',
              last_name: String(start + n),
              email: start + n === 0 ? 'first@example.org' : null,
              status: 'active',
              tags: [],
              search_text: '',
              created_at: now,
              updated_at: now,
            })) as never,
          )
          .execute()
      }
    })
    const reply = await send({ studentIds: ids })
    expect(reply).toMatchObject({ status: 202, body: { queued: 1 } })
    expect(reply.body.skipped).toHaveLength(9999)
    const { jobs } = await at.app.app.database.read
      .selectFrom('job')
      .select(({ fn }) => fn.countAll<number>().as('jobs'))
      .where('tenant_id', '=', at.institute.tenant.id)
      .where('kind', '=', 'notifications.send')
      .executeTakeFirstOrThrow()
    expect(jobs).toBe(100)
    await at.app.drain()
    const { rows } = await at.app.app.database.read
      .selectFrom('notification')
      .select(({ fn }) => fn.countAll<number>().as('rows'))
      .where('tenant_id', '=', at.institute.tenant.id)
      .executeTakeFirstOrThrow()
    expect(rows).toBe(10_000)
  })
})

const TWO_DAYS = [60, 300, 1440, 1800, 3600, 7200, ...Array<number>(11).fill(14_400)]

describe('a message that does not arrive', () => {
  test('is tried again for two days, then failed, with what went wrong; then again by hand', async () => {
    await fresh()
    at.refusal = new MailError('mail server mx:25: 421 the server is busy', false)
    const id = await student()
    await send({ studentIds: [id] })
    await at.app.drain()
    let due = 0
    for (const wait of TWO_DAYS) {
      due += wait
      const [entry] = await log('&channel=email')
      expect(entry).toMatchObject({ status: 'queued', reason: 'mail server mx:25: 421 the server is busy' })
      expect(Date.parse(entry.nextAttemptAt) - Date.parse(entry.createdAt)).toBe(due * 1000)
      await at.app.pass(wait)
    }
    expect(due).toBe(2 * 24 * 3600)
    expect(at.mails).toHaveLength(TWO_DAYS.length + 1)
    expect(new Set(at.mails.map((mail) => mail.id)).size).toBe(1)
    const [failed] = await log('&status=failed')
    expect(failed).toMatchObject({ attempts: TWO_DAYS.length + 1, nextAttemptAt: null, sentAt: null })
    at.refusal = undefined
    await at.institute.owner.patch(`/students/${id}`, { email: 'mended@example.org' })
    const retried = await at.institute.owner.post(`/notifications/${failed.id}/retry`)
    expect(retried).toMatchObject({ status: 200, body: { status: 'queued', attempts: 0, reason: null } })
    await at.app.drain()
    expect(at.mails.at(-1)?.to).toBe('mended@example.org')
    expect((await at.institute.owner.get(`/notifications/${failed.id}`)).body).toMatchObject({
      status: 'sent',
      attempts: 1,
      sentAt: at.app.clock.now(),
    })
    expect(await at.institute.owner.post(`/notifications/${failed.id}/retry`)).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT', details: { reason: expect.any(String) } } },
    })
  })

  test('that is refused for good is failed at once', async () => {
    await fresh()
    at.refusal = new MailError('mail server mx:25: 550 no such mailbox', true)
    await send({ studentIds: [await student()] })
    await at.app.drain()
    expect(await log()).toMatchObject([{ status: 'failed', attempts: 1, reason: expect.stringContaining('550') }])
  })

  test('for want of an address can be sent once there is one', async () => {
    await fresh()
    const id = await newStudent({})
    await send({ studentIds: [id, await student()] })
    await at.app.drain()
    at.mails.length = 0
    const [skipped] = await log('&status=skipped')
    const retry = () => at.institute.owner.post(`/notifications/${skipped.id}/retry`)
    expect(await retry()).toMatchObject({
      status: 409,
      body: {
        error: { details: { reason: 'nobody_reached', because: 'no_address', recipient: { kind: 'student', id } } },
      },
    })
    await at.institute.owner.patch(`/students/${id}`, { email: 'now@example.org' })
    expect((await retry()).status).toBe(200)
    await at.app.drain()
    expect(at.mails.map(({ to }) => to)).toEqual(['now@example.org'])
  })
})

describe('the plan’s quota', () => {
  const usage = async (query = '') => (await at.institute.owner.get(`/notifications/usage${query}`)).body

  test('is never exceeded; what is beyond it is skipped, and counts are told by month', async () => {
    await fresh()
    await limit(3)
    const ids = [await student(), await student(), await student(), await student(), await student()]
    await send({ studentIds: ids })
    await at.app.drain()
    expect(at.mails).toHaveLength(3)
    expect(await log('&status=skipped')).toMatchObject([
      { reason: 'The plan allows no more messages in this month.' },
      { reason: 'The plan allows no more messages in this month.' },
    ])
    expect(await usage()).toEqual({
      month: '2026-03',
      channels: [
        { channel: 'email', messages: 3 },
        { channel: 'sms', messages: 0 },
        { channel: 'whatsapp', messages: 0 },
        { channel: 'push', messages: 0 },
      ],
      total: 3,
      limit: 3,
    })
    const [skipped] = await log('&status=skipped')
    expect(await at.institute.owner.post(`/notifications/${skipped.id}/retry`)).toMatchObject({
      status: 403,
      body: { error: { code: 'QUOTA_EXCEEDED', details: { limit: 3, current: 3, key: 'maxMonthlyMessages' } } },
    })
    expect(await usage('?month=2026-02')).toMatchObject({ month: '2026-02', total: 0 })
    expect((await at.institute.owner.get('/notifications/usage?month=2026-13')).status).toBe(422)
  })

  test('is not exceeded by many who send at once; a month later there is room again', async () => {
    await fresh()
    await limit(10)
    const ids = [await student(), await student(), await student()]
    await Promise.all(Array.from({ length: 6 }, () => send({ studentIds: ids })))
    await at.app.drain()
    expect(at.mails).toHaveLength(10)
    expect(await usage()).toMatchObject({ total: 10 })
    at.app.clock.advance(31 * 24 * 3600)
    await send({ studentIds: ids })
    await at.app.drain()
    expect(at.mails).toHaveLength(13)
  })

  test('does not count what fails, nor what stays in the app', async () => {
    await fresh()
    await limit(1)
    at.refusal = new MailError('550 no such mailbox', true)
    await send({ studentIds: [await student()], userIds: [at.institute.ownerUserId] }, { channels: ['email'] })
    await at.app.drain()
    await send({ userIds: [at.institute.ownerUserId] }, { channels: ['in_app'] })
    await at.app.drain()
    expect(await usage()).toMatchObject({ total: 0, limit: 1 })
    at.refusal = undefined
    await send({ studentIds: [await student()] })
    await at.app.drain()
    expect(await usage()).toMatchObject({ total: 1 })
  })
})

test('a group of very many is told in slices, each student once', { timeout: 60_000 }, async () => {
  await fresh()
  const groupId = await newGroup(at.institute)
  const emails: string[] = []
  for (let n = 0; n < 101; n += 1) {
    emails.push(`pupil-${n}@example.org`)
    await newPupil(at.institute, groupId, { email: `pupil-${n}@example.org` })
  }
  const sessionId = await newSession(at.institute, groupId, inAMinute(at.app))
  await at.institute.owner.patch(`/sessions/${sessionId}`, { status: 'cancelled', reason: 'Rain' })
  await at.app.drain()
  expect(at.mails.map(({ to }) => to).toSorted()).toEqual(emails.toSorted())
})
