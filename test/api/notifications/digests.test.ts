import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { EventData } from '#kernel/contract/events.ts'
import { sweepNotificationsJob } from '#modules/notifications/outbox/sweep.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute, type TestMember } from '#kit/institute.ts'

/** Owners hear of a locked institute: an event that needs no records, so digests are tested with it. */

let app: TestApp
let institute: TestInstitute
let member: TestMember

const TOKEN_SECONDS = 100 * 24 * 3600
const DAY = 24 * 3600

beforeEach(async () => {
  // Monday, 10:00 in Jerusalem.
  app = await startApp({ config: { accessTokenSeconds: TOKEN_SECONDS, refreshTokenSeconds: TOKEN_SECONDS } })
  institute = await makeInstitute(app)
  member = await institute.member({ role: 'owner' })
})
afterEach(() => app.close())

const lock = (reason: string, of = institute): Promise<void> =>
  runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) => {
    const data: EventData['tenant.locked'] = { subscriptionId: null, reason, source: 'manual' }
    unit.tenant(of.tenant, 'all').emit('tenant.locked', data)
  })

const prefer = (digestMode: string, { channel = 'email', enabled = true, who = member } = {}) =>
  who.put('/notification-preferences', { preferences: [{ channel, enabled, digestMode }] })

/** Moves the clock to an instant and runs what is due. */
const until = async (instant: string) => {
  app.clock.advance((Date.parse(instant) - app.clock.millis()) / 1000)
  await app.drain()
}

const mailsTo = (who: TestMember) => app.mails.filter(({ to }) => to === `user-${who.userId}@example.org`)
const messages = async (query = '') =>
  (await institute.owner.get(`/notifications?limit=100${query}`)).body.data.filter(
    ({ recipient }: { recipient: { id: string } }) => recipient.id === member.userId,
  )

describe('a daily digest', () => {
  test('gathers a day in one mail at 07:00, and none comes where nothing waits', async () => {
    await prefer('daily')
    await lock('First')
    await app.pass(3600)
    await lock('Second')
    await app.drain()
    expect(mailsTo(member)).toEqual([])
    expect(await messages('&channel=email')).toMatchObject([
      { status: 'queued', nextAttemptAt: '2026-03-03T05:00:00.000Z' },
      { status: 'queued', nextAttemptAt: '2026-03-03T05:00:00.000Z' },
    ])
    await until('2026-03-03T04:59:59.000Z')
    expect(mailsTo(member)).toEqual([])
    await until('2026-03-03T05:00:00.000Z')
    const [mail, ...more] = mailsTo(member)
    expect(more).toEqual([])
    expect(mail?.subject).toBe(`Your messages from ${institute.tenant.name}`)
    expect(mail?.text).toMatch(/Reason: First[^]*Reason: Second/)
    expect(mail?.text.match(/Hello/g)).toHaveLength(1)
    expect(
      (await messages('&channel=email')).map(({ status, templateKey }: Record<string, string>) => [
        templateKey,
        status,
      ]),
    ).toEqual([
      ['digest', 'sent'],
      ['tenant.locked', 'sent'],
      ['tenant.locked', 'sent'],
    ])
    await until('2026-03-04T05:00:00.000Z')
    await until('2026-03-05T05:00:00.000Z')
    expect(mailsTo(member)).toHaveLength(1)
  })

  test('comes at the time of its own institute, over clock changes too', async () => {
    const far = await makeInstitute(app, { timezone: 'America/New_York' })
    const there = await far.member({ role: 'owner' })
    await prefer('daily')
    await prefer('daily', { who: there })
    // The night in which summer time begins in Jerusalem; in New York it began on 8 March.
    await until('2026-03-26T20:00:00.000Z')
    await lock('Here')
    await lock('There', far)
    await until('2026-03-27T03:59:59.000Z')
    expect([mailsTo(member).length, mailsTo(there).length]).toEqual([0, 0])
    await until('2026-03-27T04:00:00.000Z')
    expect([mailsTo(member).length, mailsTo(there).length]).toEqual([1, 0])
    await until('2026-03-27T10:59:59.000Z')
    expect(mailsTo(there)).toHaveLength(0)
    await until('2026-03-27T11:00:00.000Z')
    expect([mailsTo(member).length, mailsTo(there).length]).toEqual([1, 1])
  })

  test('follows the institute to another time zone', async () => {
    await prefer('daily')
    await lock('Moved')
    await app.drain()
    await institute.owner.patch('/settings', { timezone: 'America/New_York' })
    await until('2026-03-03T05:00:00.000Z')
    expect(mailsTo(member)).toEqual([])
    await until('2026-03-03T12:00:00.000Z')
    expect(mailsTo(member)).toHaveLength(1)
  })

  test('of the inbox becomes one entry', async () => {
    await prefer('daily', { channel: 'in_app' })
    await lock('First')
    await app.pass(1)
    await lock('Second')
    await app.drain()
    expect((await member.get('/me/notifications')).body.data).toEqual([])
    await until('2026-03-03T05:00:00.000Z')
    const { data } = (await member.get('/me/notifications')).body
    expect(data).toMatchObject([{ templateKey: 'digest', readAt: null }])
    expect(data[0].body).toMatch(/First[^]*Second/)
  })

  test('of more than a hundred comes in parts, and loses none', async () => {
    await prefer('daily')
    await runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) => {
      const tx = unit.tenant(institute.tenant, 'all')
      for (let n = 0; n < 130; n += 1) {
        tx.emit('tenant.locked', { subscriptionId: null, reason: `Number ${n}!`, source: 'manual' })
      }
    })
    await app.drain()
    await until('2026-03-03T05:00:00.000Z')
    const text = mailsTo(member)
      .map((mail) => mail.text)
      .join('\n')
    expect(mailsTo(member)).toHaveLength(2)
    for (let n = 0; n < 130; n += 1) expect(text).toContain(`Number ${n}!`)
  })

  test('is not sent to a member who left meanwhile', async () => {
    await prefer('daily')
    await lock('Gone')
    await app.drain()
    await institute.owner.patch(`/members/${member.membershipId}`, { status: 'disabled' })
    await until('2026-03-03T05:00:00.000Z')
    expect(mailsTo(member)).toEqual([])
    expect(await messages('&channel=email')).toMatchObject([
      { status: 'skipped', reason: 'They have no active account here any more.' },
    ])
  })
})

describe('a changed preference', () => {
  test('to immediate sends at once what waits', async () => {
    await prefer('weekly')
    await lock('Waiting')
    await app.drain()
    expect(mailsTo(member)).toEqual([])
    await prefer('immediate')
    await app.drain()
    expect(mailsTo(member)).toHaveLength(1)
    await until('2026-03-08T05:00:00.000Z')
    expect(mailsTo(member)).toHaveLength(1)
  })

  test('from daily to weekly moves it to Sunday', async () => {
    await prefer('daily')
    await lock('Waiting')
    await app.drain()
    await prefer('weekly')
    await until('2026-03-03T05:00:00.000Z')
    await until('2026-03-08T04:59:00.000Z')
    expect(mailsTo(member)).toEqual([])
    await until('2026-03-08T05:00:00.000Z')
    expect(mailsTo(member)).toHaveLength(1)
  })

  test('to off leaves out what waits', async () => {
    await prefer('daily')
    await lock('Waiting')
    await app.drain()
    await prefer('daily', { enabled: false })
    await until('2026-03-03T05:00:00.000Z')
    expect(mailsTo(member)).toEqual([])
    expect(await messages('&channel=email')).toMatchObject([
      { status: 'skipped', reason: 'They have switched this channel off.' },
    ])
  })
})

test('what a digest forgot is sent by the hourly sweep', async () => {
  await prefer('daily')
  await lock('Forgotten')
  await app.drain()
  await app.app.database.write((db) => db.deleteFrom('job').where('kind', '=', 'notifications.digest').execute())
  await until('2026-03-03T05:00:00.000Z')
  expect(mailsTo(member)).toEqual([])
  app.clock.advance(2 * 3600)
  await runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) =>
    unit.system().enqueue(sweepNotificationsJob, {}),
  )
  await app.drain()
  expect(mailsTo(member)).toHaveLength(1)
})

test('the log and the inbox are kept for 180 days', async () => {
  await lock('Old')
  await app.drain()
  expect(await messages()).toHaveLength(2)
  const sweepAfter = async (days: number) => {
    app.clock.advance(days * DAY)
    await runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) =>
      unit.system().enqueue(sweepNotificationsJob, {}),
    )
    await app.drain()
    return app.app.database.read.selectFrom('notification').select('id').execute()
  }
  expect(await sweepAfter(179)).toHaveLength(4)
  expect(await sweepAfter(2)).toEqual([])
})
