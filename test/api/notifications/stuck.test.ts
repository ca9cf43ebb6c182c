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

const mailsOf = async () => (await at.log('&channel=email')) as { id: string; status: string; because: string | null }[]
const drop = (id: string) => at.institute.owner.post(`/notifications/${id}/drop`)

test('one that waits is given up alone: the others go, its attempt brings nothing, and it can be sent again', async () => {
  await at.fresh()
  at.refusal = down()
  await at.send({ studentIds: await students(3) })
  await at.app.drain()
  const used = async () => (await at.institute.owner.get('/notifications/usage')).body.channels
  const before = await used()
  const [one] = await mailsOf()
  const id = one?.id ?? ''
  expect((await drop(id)).body).toMatchObject({ id, status: 'skipped', because: 'dropped', nextAttemptAt: null })
  expect(await stuck()).toMatchObject([{ waiting: 2, failed: 0 }])
  expect(JSON.stringify(await used())).not.toBe(JSON.stringify(before))
  at.refusal = undefined
  at.mails = []
  await at.app.pass(3600)
  expect(at.mails).toHaveLength(2)
  // A second press, and one that has gone out meanwhile.
  const sent = (await mailsOf()).find(({ status }) => status === 'sent')
  for (const other of [id, sent?.id ?? '']) {
    expect((await drop(other)).body.error).toMatchObject({ code: 'CONFLICT', details: { reason: 'message_not_stuck' } })
  }
  at.mails = []
  expect((await at.institute.owner.post(`/notifications/${id}/retry`)).status).toBe(200)
  await at.app.drain()
  expect(at.mails).toHaveLength(1)
})

test('one that was given up after its last attempt is dropped too, and one that was refused for good is not', async () => {
  await at.fresh()
  at.refusal = down()
  await at.send({ studentIds: await students(1) })
  await at.app.drain()
  for (let n = 0; n < 20; n += 1) await at.app.pass(4 * 3600)
  expect(await stuck()).toMatchObject([{ failed: 1 }])
  const [given] = await mailsOf()
  expect((await drop(given?.id ?? '')).body).toMatchObject({ status: 'skipped', because: 'dropped' })
  expect(await stuck()).toEqual([])
  at.refusal = refused()
  await at.send({ studentIds: await students(1) })
  await at.app.drain()
  const forGood = (await mailsOf()).find(({ status }) => status === 'failed')
  expect((await drop(forGood?.id ?? '')).status).toBe(409)
})

test('of two who give it up at once one does, and somebody of another branch does not find it', async () => {
  await at.fresh()
  at.refusal = down()
  await at.send({ studentIds: await students(1) })
  await at.app.drain()
  const [one] = await mailsOf()
  const id = one?.id ?? ''
  const other = (await at.institute.owner.post('/branches', { name: 'Second' })).body.id
  const there = await at.institute.member({ permissions: ['notifications.send'], branchId: other })
  expect((await there.post(`/notifications/${id}/drop`)).status).toBe(404)
  const replies = await Promise.all([drop(id), drop(id)])
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
})
