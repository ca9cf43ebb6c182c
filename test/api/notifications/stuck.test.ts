import { expect, test } from 'vitest'
import { MailError } from '#ports/mail/port.ts'
import { useMailApp } from '#kit/mail-app.ts'

/** Mails that the mail server does not take: told, and sent again once it works. */

const at = useMailApp()
const down = () => new MailError('mail server mx:25: it refuses the sign-in: 535 wrong', false, 'sign_in')
const refused = () => new MailError('mail server mx:25: it refuses the recipient: 550 who?', true, 'refused')

const stuck = async () => (await at.institute.owner.get('/notifications/stuck')).body.channels
const retry = (channel = 'email') => at.institute.owner.post('/notifications/stuck/retry', { channel })
const students = async (count: number): Promise<string[]> => {
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) ids.push(await at.student())
  return ids
}
const notices = async () =>
  (await at.institute.owner.get('/me/notifications')).body.data.filter(
    ({ templateKey }: { templateKey: string }) => templateKey === 'mails.stuck',
  )

test('all that waits and all that was given up go again, once each, however often and at once that is asked for', async () => {
  await at.fresh()
  at.refusal = down()
  await at.send({ studentIds: await students(3) })
  await at.app.drain()
  await at.app.pass(2 * 24 * 3600)
  for (let n = 0; n < 17; n += 1) await at.app.pass(4 * 3600)
  expect(await stuck()).toMatchObject([{ channel: 'email', waiting: 0, failed: 3, reason: down().message }])
  // More than one slice, and within the pace of each inbox.
  const ids = await students(10)
  for (let n = 0; n < 11; n += 1) await at.send({ studentIds: ids })
  await at.app.drain()
  expect(await stuck()).toMatchObject([{ channel: 'email', waiting: 110, failed: 3 }])
  // Due within the minute: it goes by itself, and may have begun.
  at.refusal = undefined
  at.mails = []
  await retry()
  await at.app.drain()
  expect(at.mails).toHaveLength(3)
  at.refusal = down()
  await at.app.pass(60)
  at.refusal = undefined
  at.mails = []
  const replies = await Promise.all(Array.from({ length: 5 }, () => retry()))
  for (const { status } of replies) expect(status).toBe(202)
  await at.app.drain()
  expect(at.mails).toHaveLength(110)
  expect(new Set(at.mails.map(({ id }) => id)).size).toBe(110)
  expect(await stuck()).toEqual([])
  await at.app.pass(24 * 3600)
  expect(at.mails).toHaveLength(110)
  expect((await retry()).body).toEqual({ waiting: 0, failed: 0, kept: 0 })
})

test('what a recipient’s server refused for good is not among it', async () => {
  await at.fresh()
  at.refusal = refused()
  await at.send({ studentIds: await students(1) })
  await at.app.drain()
  expect(await at.log('&status=failed')).toHaveLength(1)
  expect(await stuck()).toEqual([])
  at.refusal = undefined
  at.mails = []
  await retry()
  await at.app.drain()
  expect(at.mails).toEqual([])
})

test('the owner hears of it after half an hour, once a day, and only while it lasts', async () => {
  await at.fresh()
  at.refusal = down()
  await at.send({ studentIds: await students(2) })
  await at.app.drain()
  for (const wait of [60, 300]) await at.app.pass(wait)
  expect(await notices()).toEqual([])
  await at.app.pass(1440)
  expect(await notices()).toHaveLength(1)
  const [{ body }] = await notices()
  expect(body).toContain('535 wrong')
  expect(body).toContain('2')
  await at.app.pass(1800)
  expect(await notices()).toHaveLength(1)
})

test('only who reaches the whole institute sees and sends it', async () => {
  await at.fresh()
  const office = await at.institute.member({ permissions: ['notifications.send'], branchId: at.institute.branchId })
  expect((await office.get('/notifications/stuck')).status).toBe(403)
  expect((await office.post('/notifications/stuck/retry', { channel: 'email' })).status).toBe(403)
})

test('what the plan does not allow any more stays given up', async () => {
  await at.fresh()
  at.refusal = down()
  await at.send({ studentIds: await students(3) })
  await at.app.drain()
  for (let n = 0; n < 20; n += 1) await at.app.pass(4 * 3600)
  expect(await stuck()).toMatchObject([{ failed: 3 }])
  await at.limit(2)
  at.refusal = undefined
  at.mails = []
  await retry()
  await at.app.drain()
  expect(at.mails).toHaveLength(2)
  expect(await stuck()).toMatchObject([{ waiting: 0, failed: 1 }])
})
