import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { CHANNELS } from '#modules/notifications/channel.ts'
import { MailError, type Mail } from '#ports/mail/port.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { newFamily, newParent } from '#kit/family.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf } from '#kit/records.ts'
import { newApiKey } from './examples/integrations.ts'
import { newGroup, newPupil, newSession } from './examples/sessions.ts'

const TOKEN_SECONDS = 100 * 24 * 3600

let app: TestApp
let institute: TestInstitute
/** How the mail server answers; undefined: it accepts. */
let refusal: MailError | undefined
let mails: Mail[] = []
let quota: number | null = null

beforeAll(async () => {
  app = await startApp({
    config: { accessTokenSeconds: TOKEN_SECONDS, refreshTokenSeconds: TOKEN_SECONDS },
    quotaOf: async () => quota,
    openMailer: () => ({
      send: async (mail) => {
        mails.push(mail)
        if (refusal) throw refusal
        return 'accepted'
      },
      close: async () => {},
    }),
  })
})
afterAll(() => app.close())

const fresh = async (...options: Parameters<typeof makeInstitute> extends [unknown, ...infer Rest] ? Rest : never) => {
  refusal = undefined
  mails = []
  quota = null
  institute = await makeInstitute(app, ...options)
}

const message = { templateKey: 'message', data: { title: 'Closed', message: 'We are closed.\n\nSee you on Monday.' } }
const send = (recipients: object, more: object = {}, as: Client = institute.owner) =>
  as.post('/notifications/send', { ...message, channels: ['email'], recipients, ...more })
const log = async (query = '', as: Client = institute.owner) =>
  (await as.get(`/notifications?limit=100${query}`)).body.data
const student = (fields: object = {}) => newPupilOf({ email: `s${newId()}@example.org`, ...fields })
const newPupilOf = async (fields: object, branchId = institute.branchId): Promise<string> =>
  (await institute.owner.post('/students', { branchId, firstName: 'Noor', lastName: 'Haddad', ...fields })).body.id

describe('the inbox', () => {
  test('lists one’s own entries newest first, unread ones only where asked, and marks them as read once', async () => {
    await fresh()
    const member = await institute.member({ role: 'guardian' })
    for (const title of ['One', 'Two', 'Three']) {
      await send({ userIds: [member.userId] }, { channels: ['in_app'], data: { title, message: title } })
      await app.pass(1)
    }
    const titles = async (query = '') =>
      (await member.get(`/me/notifications${query}`)).body.data.map(({ title }: { title: string }) => title)
    expect(await titles()).toEqual(['Three', 'Two', 'One'])
    expect((await member.get('/me/notifications/unread-count')).body).toEqual({ unread: 3 })
    const first = (await member.get('/me/notifications?limit=1')).body
    expect((await member.get(`/me/notifications?limit=5&cursor=${first.nextCursor}`)).body.data).toHaveLength(2)
    const { id } = first.data[0]
    expect((await member.post(`/me/notifications/${id}/read`)).body).toEqual({ ok: true, updated: 1 })
    expect((await member.post(`/me/notifications/${id}/read`)).body).toEqual({ ok: true, updated: 0 })
    expect(await titles('?unreadOnly=true')).toEqual(['Two', 'One'])
    expect(await titles('?unreadOnly=false')).toHaveLength(3)
    expect((await member.post('/me/notifications/read-all')).body).toEqual({ ok: true, updated: 2 })
    expect((await member.get('/me/notifications/unread-count')).body).toEqual({ unread: 0 })
    expect(await titles('?unreadOnly=true')).toEqual([])
    expect((await member.get('/me/notifications?unreadOnly=maybe')).status).toBe(422)
  })

  test('is nobody else’s: another’s entry is 404, and an API key has none', async () => {
    await fresh()
    const member = await institute.member({ role: 'guardian' })
    await send({ userIds: [member.userId] }, { channels: ['in_app'] })
    await app.drain()
    const [{ id }] = (await member.get('/me/notifications')).body.data
    expect((await institute.owner.post(`/me/notifications/${id}/read`)).status).toBe(404)
    expect((await institute.owner.get('/me/notifications')).body.data).toEqual([])
    const { key } = await newApiKey(institute)
    expect((await app.as(key).get('/me/notifications')).body).toEqual({ data: [], nextCursor: null })
    expect((await app.as(key).get('/me/notifications/unread-count')).body).toEqual({ unread: 0 })
  })
})

describe('preferences', () => {
  test('list every channel, at once for who never said; a PUT changes the named ones', async () => {
    await fresh()
    const member = await institute.member({ role: 'guardian' })
    const all = CHANNELS.map((channel) => ({ channel, enabled: true, digestMode: 'immediate' }))
    expect((await member.get('/notification-preferences')).body).toEqual({ preferences: all })
    const email = { channel: 'email', enabled: false, digestMode: 'weekly' }
    const changed = await member.put('/notification-preferences', { preferences: [email] })
    const expected = { preferences: all.map((one) => (one.channel === 'email' ? email : one)) }
    expect(changed.body).toEqual(expected)
    expect((await member.get('/notification-preferences')).body).toEqual(expected)
    expect((await institute.owner.get('/notification-preferences')).body).toEqual({ preferences: all })
    const twice = await member.put('/notification-preferences', { preferences: [email, email] })
    expect(twice.status).toBe(422)
    const { key } = await newApiKey(institute)
    const byKey = app.as(key)
    expect((await byKey.get('/notification-preferences')).body).toEqual({ preferences: all })
    const refused = await byKey.put('/notification-preferences', { preferences: [email] })
    expect(refused).toMatchObject({ status: 403, body: { error: { details: { reason: 'user_only' } } } })
  })

  test('keep a channel quiet that is switched off, and the log says so', async () => {
    await fresh()
    const member = await institute.member({ role: 'guardian' })
    const off = { channel: 'email', enabled: false, digestMode: 'immediate' }
    await member.put('/notification-preferences', { preferences: [off] })
    const { body } = await send({ userIds: [member.userId] }, { channels: ['email', 'in_app'] })
    const reason = 'They have switched this channel off.'
    expect(body).toMatchObject({ queued: 1, skipped: [{ recipient: member.userId, reason: `email: ${reason}` }] })
    await app.drain()
    expect(mails).toEqual([])
    expect(await log('&status=skipped')).toMatchObject([{ channel: 'email', reason }])
  })
})

describe('templates', () => {
  const create = (body: object, as: Client = institute.owner) => as.post('/notification-templates', body)
  const own = { key: 'student.absent', channel: 'email', locale: 'ar', body: 'غاب {{studentName}}.' }

  const listAll = async (limit: number) => {
    const all: Record<string, string | boolean>[] = []
    let cursor = ''
    do {
      const { body } = await institute.owner.get(`/notification-templates?limit=${limit}${cursor}`)
      all.push(...body.data)
      cursor = body.nextCursor === null ? '' : `&cursor=${encodeURIComponent(body.nextCursor)}`
    } while (cursor !== '')
    return all
  }
  const placeOf = ({ key, channel, locale }: Record<string, unknown>) => `${key} ${channel} ${locale}`

  test('of the institute stand in the merged list in place of the platform’s, page by page, none twice', async () => {
    await fresh()
    const before = await listAll(100)
    expect(before.every((one) => one['isPlatformDefault'])).toBe(true)
    // 13 keys, 5 channels, 3 languages.
    expect(before).toHaveLength(195)
    const { body: absent } = await create(own)
    const { body: holiday } = await create({ ...own, key: 'holiday', body: 'عطلة {{data.day}}' })
    for (const limit of [100, 7, 1]) {
      const after = await listAll(limit)
      expect(after.map(placeOf)).toEqual([...new Set([...before, absent, holiday].map(placeOf))].toSorted())
      expect(after.filter((one) => !one['isPlatformDefault'])).toEqual([holiday, absent])
    }
  })

  test('keep their place for a cursor while others are added', async () => {
    await fresh()
    const first = (await institute.owner.get('/notification-templates?limit=10')).body
    await create({ ...own, key: 'a-holiday', body: 'Closed' })
    const rest = (await institute.owner.get(`/notification-templates?limit=100&cursor=${first.nextCursor}`)).body
    expect(rest.data.map(placeOf)).not.toContain('a-holiday email ar')
    expect(new Set([...first.data, ...rest.data].map(placeOf)).size).toBe(110)
  })

  test('an unknown variable is refused, and the answer names those that may be used', async () => {
    await fresh()
    const refused = await create({ ...own, body: 'غاب {{childName}}.' })
    expect(refused).toMatchObject({
      status: 422,
      body: {
        error: { details: { issues: [{ path: ['body'], message: expect.stringContaining('{{studentName}}') }] } },
      },
    })
    expect((await create({ ...own, subject: '{{secret}}' })).status).toBe(422)
    expect((await create({ ...own, body: 'غاب {{studentName.' })).status).toBe(422)
    expect((await create({ ...own, key: 'holiday', body: '{{day}}' })).status).toBe(422)
    const made = await create({ ...own, key: 'holiday', body: '{{ data.day }}' })
    expect(made.status).toBe(201)
    const id = made.body.id
    expect((await institute.owner.patch(`/notification-templates/${id}`, { body: '{{day}}' })).status).toBe(422)
  })

  test('are one for each key, channel and language', async () => {
    await fresh()
    expect((await create(own)).status).toBe(201)
    expect(await create(own)).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } })
    expect((await create({ ...own, locale: 'he' })).status).toBe(201)
    expect((await create({ ...own, channel: 'sms' })).status).toBe(201)
  })

  test('of the platform cannot be changed or deleted; deleting the institute’s brings them back', async () => {
    await fresh()
    const find = async () => (await listAll(100)).find((one) => placeOf(one) === 'student.absent email ar')
    const platform = await find()
    const path = `/notification-templates/${platform?.['id']}`
    expect((await institute.owner.patch(path, { body: 'x' })).status).toBe(404)
    expect((await institute.owner.delete(path)).status).toBe(404)
    const { body: made } = await create(own)
    expect(await find()).toEqual(made)
    expect((await institute.owner.delete(`/notification-templates/${made.id}`)).body).toEqual({ ok: true })
    expect(await find()).toEqual(platform)
  })

  test('of the institute are what is sent; switched off, nobody is told', async () => {
    await fresh()
    const family = await newFamily(institute)
    const { body: template } = await create({ ...own, subject: 'غياب' })
    const absent = async () => {
      const sessionId = await newSession(institute, family.groupId)
      const entries = [{ studentId: family.studentId, status: 'absent' }]
      await institute.owner.put(`/sessions/${sessionId}/attendance`, { entries })
      await app.drain()
      return mails.filter(({ to }) => to === 'mother@example.org')
    }
    const [mail] = await absent()
    expect([mail?.subject, mail?.text.replaceAll(/[\u2068\u2069]/g, '')]).toEqual(['غياب', 'غاب Noor Haddad.\n'])
    await institute.owner.patch(`/notification-templates/${template.id}`, { isActive: false })
    expect(await absent()).toHaveLength(1)
    expect(await log('&status=skipped')).toContainEqual(
      expect.objectContaining({ reason: 'The institute has switched this text off.' }),
    )
  })

  test('there are a thousand at the most', async () => {
    await fresh()
    const now = app.clock.now()
    await app.app.database.write(async (db) => {
      for (let start = 0; start < 1000; start += 100) {
        await db
          .insertInto('notification_template')
          .values(
            Array.from({ length: 100 }, (_, n) => ({
              id: newId(),
              tenant_id: institute.tenant.id,
              key: `key-${start + n}`,
              channel: 'email',
              locale: 'ar',
              body: 'x',
              is_active: true,
              created_at: now,
              updated_at: now,
            })) as never,
          )
          .execute()
      }
    })
    expect(await create(own)).toMatchObject({ status: 409, body: { error: { details: { most: 1000 } } } })
  })
})

describe('sending by hand', () => {
  test('tells everybody once, in their language, and says who cannot be told', async () => {
    await fresh({ defaultLocale: 'he' })
    const family = await newFamily(institute)
    const member = await institute.member({ role: 'guardian' })
    await newParent(institute, family.studentId, { userId: member.userId, email: 'other@example.org' })
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
    expect(mails).toEqual([])
    await app.drain()
    const sent = Object.fromEntries(mails.map(({ to, locale }) => [to.replace(/user-.*@/, 'account@'), locale]))
    expect(sent).toEqual({
      'student@example.org': 'he',
      'mother@example.org': 'ar',
      'father@example.org': 'he',
      'account@example.org': 'en',
    })
    const [mail] = mails.filter(({ to }) => to === 'mother@example.org')
    expect(mail?.subject).toContain('Closed')
    expect(mail?.text).toContain('We are closed.\n\nSee you on Monday.')
    expect(await log(`&templateKey=message`)).toHaveLength(5)
    const entries = await auditOf(app, institute, 'notifications.send')
    expect(entries).toMatchObject([{ entity_id: reply.body.batchId, metadata: { queued: 4, skipped: 1 } }])
  })

  test('reaches the caller’s branch only', async () => {
    await fresh()
    const north = (await institute.owner.post('/branches', { name: 'North' })).body.id
    const here = await student()
    const there = await newPupilOf({ email: 'there@example.org' }, north)
    const colleague = await institute.member({ role: 'front_desk' })
    const sender = await institute.member({ permissions: ['notifications.send'], branchId: institute.branchId })
    expect((await send({ studentIds: [here] }, {}, sender)).status).toBe(202)
    expect((await send({ studentIds: [here, there] }, {}, sender)).status).toBe(404)
    const farGroup = await newGroup({ ...institute, branchId: north })
    expect((await send({ groupId: farGroup }, {}, sender)).status).toBe(404)
    expect((await send({ userIds: [colleague.userId] }, {}, sender)).status).toBe(404)
    const staff = { branchId: institute.branchId, firstName: 'A', lastName: 'B', userId: colleague.userId }
    await institute.owner.post('/staff', staff)
    expect((await send({ userIds: [colleague.userId] }, {}, sender)).status).toBe(202)
    await send({ studentIds: [there] })
    await app.drain()
    expect(await log('', sender)).toHaveLength(2)
    expect(await log()).toHaveLength(3)
    const [foreign] = (await log()).filter(({ recipient }: { recipient: { id: string } }) => recipient.id === there)
    expect((await sender.get(`/notifications/${foreign.id}`)).status).toBe(404)
    expect((await institute.owner.get(`/notifications/${foreign.id}`)).body).toEqual(foreign)
  })

  test('skips members who left, and refuses what nobody can send', async () => {
    await fresh()
    const left = await institute.member({ role: 'guardian' })
    await institute.owner.patch(`/members/${left.membershipId}`, { status: 'disabled' })
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

  test('over a channel that the institute does not have is refused; over one that is not set up, everybody is skipped', async () => {
    await fresh()
    const studentIds = [await student({ phone: '+972501234567' })]
    expect(await send({ studentIds }, { channels: ['sms'] })).toMatchObject({
      status: 403,
      body: { error: { code: 'FEATURE_DISABLED', details: { feature: 'sms_notifications' } } },
    })
    await fresh({ features: { sms_notifications: true, whatsapp_notifications: true } })
    const again = [await student({ phone: '+972501234567' })]
    const reply = await send({ studentIds: again }, { channels: ['sms', 'whatsapp', 'push'] })
    expect(reply.body).toMatchObject({ queued: 0 })
    expect(reply.body.skipped).toHaveLength(3)
    await app.drain()
    const skipped = await log()
    expect(skipped.map(({ status, reason }: Record<string, string>) => `${status} ${reason}`)).toEqual(
      Array(3).fill('skipped This channel is not set up.'),
    )
  })

  test('fills a text of the institute’s own with the request’s data', async () => {
    await fresh()
    const template = { key: 'holiday', channel: 'email', locale: 'en', subject: 'Closed on {{data.day}}' }
    await institute.owner.post('/notification-templates', { ...template, body: '{{recipientName}}: {{data.day}}' })
    await send({ studentIds: [await student()] }, { templateKey: 'holiday', data: { day: 'Sunday {{link}}' } })
    await app.drain()
    expect(mails).toMatchObject([{ subject: 'Closed on Sunday {{link}}', text: 'Noor Haddad: Sunday {{link}}\n' }])
  })

  test('to ten thousand goes in slices', { timeout: 120_000 }, async () => {
    await fresh()
    const now = app.clock.now()
    const ids = Array.from({ length: 10_000 }, newId)
    await app.app.database.write(async (db) => {
      for (let start = 0; start < ids.length; start += 500) {
        await db
          .insertInto('student')
          .values(
            ids.slice(start, start + 500).map((id, n) => ({
              id,
              tenant_id: institute.tenant.id,
              branch_id: institute.branchId,
              student_number: `S-${String(100_000 + start + n)}`,
              first_name: 'Pupil',
              last_name: String(start + n),
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
    expect(reply).toMatchObject({ status: 202, body: { queued: 0 } })
    expect(reply.body.skipped).toHaveLength(10_000)
    const { jobs } = await app.app.database.read
      .selectFrom('job')
      .select(({ fn }) => fn.countAll<number>().as('jobs'))
      .where('tenant_id', '=', institute.tenant.id)
      .where('kind', '=', 'notifications.send')
      .executeTakeFirstOrThrow()
    expect(jobs).toBe(100)
    await app.drain()
    const { rows } = await app.app.database.read
      .selectFrom('notification')
      .select(({ fn }) => fn.countAll<number>().as('rows'))
      .where('tenant_id', '=', institute.tenant.id)
      .executeTakeFirstOrThrow()
    expect(rows).toBe(10_000)
  })
})

describe('a message that does not arrive', () => {
  test('is tried again like a webhook, then failed, with what went wrong; then again by hand', async () => {
    await fresh()
    refusal = new MailError('mail server mx:25: 421 the server is busy', false)
    const id = await student()
    await send({ studentIds: [id] })
    await app.drain()
    for (const [wait, at] of [
      [60, 60],
      [300, 360],
      [1800, 2160],
      [7200, 9360],
    ] as const) {
      const [entry] = await log()
      expect(entry).toMatchObject({ status: 'queued', reason: 'mail server mx:25: 421 the server is busy' })
      expect(Date.parse(entry.nextAttemptAt) - Date.parse(entry.createdAt)).toBe(at * 1000)
      await app.pass(wait)
    }
    expect(mails).toHaveLength(5)
    expect(new Set(mails.map((mail) => mail.id)).size).toBe(1)
    const [failed] = await log('&status=failed')
    expect(failed).toMatchObject({ attempts: 5, nextAttemptAt: null, sentAt: null })
    refusal = undefined
    await institute.owner.patch(`/students/${id}`, { email: 'mended@example.org' })
    const retried = await institute.owner.post(`/notifications/${failed.id}/retry`)
    expect(retried).toMatchObject({ status: 200, body: { status: 'queued', attempts: 0, reason: null } })
    await app.drain()
    expect(mails.at(-1)?.to).toBe('mended@example.org')
    expect((await institute.owner.get(`/notifications/${failed.id}`)).body).toMatchObject({
      status: 'sent',
      attempts: 1,
      sentAt: app.clock.now(),
    })
    expect(await institute.owner.post(`/notifications/${failed.id}/retry`)).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT', details: { reason: expect.any(String) } } },
    })
  })

  test('that is refused for good is failed at once', async () => {
    await fresh()
    refusal = new MailError('mail server mx:25: 550 no such mailbox', true)
    await send({ studentIds: [await student()] })
    await app.drain()
    expect(await log()).toMatchObject([{ status: 'failed', attempts: 1, reason: expect.stringContaining('550') }])
  })

  test('for want of an address can be sent once there is one', async () => {
    await fresh()
    const id = await newPupilOf({})
    await send({ studentIds: [id] })
    await app.drain()
    const [skipped] = await log('&status=skipped')
    const retry = () => institute.owner.post(`/notifications/${skipped.id}/retry`)
    expect(await retry()).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'There is no email address on record.' } } },
    })
    await institute.owner.patch(`/students/${id}`, { email: 'now@example.org' })
    expect((await retry()).status).toBe(200)
    await app.drain()
    expect(mails.map(({ to }) => to)).toEqual(['now@example.org'])
  })
})

describe('the plan’s quota', () => {
  const usage = async (query = '') => (await institute.owner.get(`/notifications/usage${query}`)).body

  test('is never exceeded; what is beyond it is skipped, and counts are told by month', async () => {
    await fresh()
    quota = 3
    const ids = [await student(), await student(), await student(), await student(), await student()]
    await send({ studentIds: ids })
    await app.drain()
    expect(mails).toHaveLength(3)
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
    expect(await institute.owner.post(`/notifications/${skipped.id}/retry`)).toMatchObject({
      status: 403,
      body: { error: { code: 'QUOTA_EXCEEDED', details: { limit: 3, current: 3, key: 'maxMonthlyMessages' } } },
    })
    expect(await usage('?month=2026-02')).toMatchObject({ month: '2026-02', total: 0 })
    expect((await institute.owner.get('/notifications/usage?month=2026-13')).status).toBe(422)
  })

  test('does not count what fails, nor what stays in the app', async () => {
    await fresh()
    quota = 1
    refusal = new MailError('550 no such mailbox', true)
    await send({ studentIds: [await student()], userIds: [institute.ownerUserId] }, { channels: ['email'] })
    await app.drain()
    await send({ userIds: [institute.ownerUserId] }, { channels: ['in_app'] })
    await app.drain()
    expect(await usage()).toMatchObject({ total: 0, limit: 1 })
    refusal = undefined
    await send({ studentIds: [await student()] })
    await app.drain()
    expect(await usage()).toMatchObject({ total: 1 })
  })
})

test('a group of very many is told in slices, each student once', { timeout: 60_000 }, async () => {
  await fresh()
  const groupId = await newGroup(institute)
  const emails: string[] = []
  for (let n = 0; n < 101; n += 1) {
    emails.push(`pupil-${n}@example.org`)
    await newPupil(institute, groupId, { email: `pupil-${n}@example.org` })
  }
  const sessionId = await newSession(institute, groupId)
  await institute.owner.patch(`/sessions/${sessionId}`, { status: 'cancelled', reason: 'Rain' })
  await app.drain()
  expect(mails.map(({ to }) => to).toSorted()).toEqual(emails.toSorted())
})
