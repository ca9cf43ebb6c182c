import { expect, test } from 'vitest'
import { MailError } from '#ports/mail/port.ts'
import { worldOf } from '#kit/examples.ts'
import { newParent } from '#kit/family.ts'
import { useMailApp } from '#kit/mail-app.ts'
import { issuedInvoice } from '../examples/billing.ts'
import { newStudent } from '../examples/people.ts'

/** How often people may be sent something by hand; the database decides it, also of what comes at once. */

const at = useMailApp()
const TO = 'inbox@example.org'

const world = () => worldOf(at.app, at.institute)
const countOf = (replies: readonly { status: number }[], status: number) =>
  replies.filter((reply) => reply.status === status).length
const atOnce = <T>(times: number, send: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: times }, (_, n) => send(n)))
const arrived = async (to: string) => {
  await at.app.drain()
  return at.mails.filter((mail) => mail.to === to).length
}
const remind = (id: string) => at.institute.owner.post(`/invoices/${id}/remind`)
/** Takes what came of making the records out of the counts: the time of the tests passes. */
const settle = async () => {
  await at.app.drain()
  await at.app.pass(24 * 3600 + 60)
  at.mails = []
}

test('one receipt goes three times an hour and six a day, however many ask at once; the refusal says when again', async () => {
  await at.fresh()
  const studentId = await at.student({ email: TO })
  const invoice = await issuedInvoice(world(), { studentId })
  const payment = { amountMinor: 100, currency: 'ILS', method: 'cash', receivedAt: at.app.clock.now() }
  await at.institute.owner.post(`/invoices/${invoice.id}/payments`, payment)
  const [{ id }] = (await at.institute.owner.get('/receipts')).body.data
  await settle()
  const send = () => at.institute.owner.post(`/receipts/${id}/send`)
  const replies = await atOnce(20, send)
  expect([countOf(replies, 200), countOf(replies, 429)]).toEqual([3, 17])
  const refused = replies.find(({ status }) => status === 429)
  expect(refused?.body.error).toMatchObject({ code: 'RATE_LIMITED', details: { reason: 'record_sent_often' } })
  expect(Number(refused?.headers.get('retry-after'))).toBe(3600)
  expect(await arrived(TO)).toBe(3)
  await at.app.pass(3600)
  expect(countOf(await atOnce(5, send), 200)).toBe(3)
  await at.app.pass(3600)
  expect(countOf(await atOnce(2, send), 429)).toBe(2)
})

test('one payer is sent thirty messages an hour by hand: one by one 429, in bulk a row that says why', async () => {
  await at.fresh()
  const studentId = await newStudent(world())
  await newParent(at.institute, studentId, { email: TO }, { isPayer: true })
  const ids: string[] = []
  for (let n = 0; n < 40; n += 1) ids.push((await issuedInvoice(world(), { studentId })).id)
  await settle()
  const replies = await atOnce(20, (n) => remind(ids[n] as string))
  expect(countOf(replies, 200)).toBe(20)
  const { status, body } = await at.institute.owner.post('/invoices/remind', { ids: ids.slice(20) })
  expect([status, body.done.length]).toEqual([200, 10])
  expect(body.refused).toHaveLength(10)
  for (const { reason } of body.refused) expect(reason).toBe('person_sent_often')
  expect((await remind(ids[39] as string)).body.error).toMatchObject({
    code: 'RATE_LIMITED',
    details: { reason: 'person_sent_often' },
  })
  expect(await arrived(TO)).toBe(30)

  // What one payer is sent counts whatever it is: no receipt either.
  const payment = { amountMinor: 100, currency: 'ILS', method: 'cash', receivedAt: at.app.clock.now() }
  await at.institute.owner.post(`/invoices/${ids[0]}/payments`, payment)
  const [receipt] = (await at.institute.owner.get('/receipts')).body.data
  expect(await at.institute.owner.post(`/receipts/${receipt.id}/send`)).toMatchObject({
    status: 429,
    body: { error: { details: { reason: 'person_sent_often' } } },
  })
  await at.app.pass(3600)
  for (let n = 0; n < 3; n += 1) expect((await remind(ids[0] as string)).status).toBe(200)
  expect(await remind(ids[0] as string)).toMatchObject({
    status: 429,
    body: { error: { details: { reason: 'record_sent_often' } } },
  })
  await at.app.drain()
})

test('one inbox gets thirty messages an hour by hand, whoever’s records name it; the rest is skipped, then refused', async () => {
  await at.fresh()
  const students: string[] = []
  for (let n = 0; n < 40; n += 1) students.push(await at.student({ email: `inbox+${n}@example.org` }))
  const replies = await atOnce(40, (n) => at.send({ studentIds: [students[n]] }))
  expect(countOf(replies, 202) + countOf(replies, 429)).toBe(40)
  await at.app.drain()
  expect(at.mails).toHaveLength(30)
  const again = await at.send({ studentIds: students })
  expect(again).toMatchObject({ status: 429, body: { error: { details: { reason: 'person_sent_often' } } } })
  const other = await at.student()
  const mixed = await at.send({ studentIds: [students[0], other] })
  expect(mixed).toMatchObject({ status: 202, body: { queued: 1, skipped: [{ recipient: students[0] }] } })
  const skipped = await at.log('&status=skipped')
  for (const { reason } of skipped) expect(reason).toContain('So many messages were sent there by hand')
  expect(await at.institute.owner.post(`/notifications/${skipped[0].id}/retry`)).toMatchObject({
    status: 429,
    body: { error: { details: { reason: 'person_sent_often' } } },
  })
  await at.app.pass(3600)
  expect((await at.send({ studentIds: [students[0]] })).status).toBe(202)
})

test('a message of the log is sent again by hand three times an hour', async () => {
  await at.fresh()
  const id = await at.newStudent({})
  await at.send({ studentIds: [id], userIds: [at.institute.ownerUserId] })
  await at.app.drain()
  const [{ id: messageId }] = await at.log('&status=skipped')
  await at.institute.owner.patch(`/students/${id}`, { email: TO })
  const statuses: number[] = []
  at.refusal = new MailError('mail server mx:25: 550 no', true)
  for (let n = 0; n < 5; n += 1) {
    statuses.push((await at.institute.owner.post(`/notifications/${messageId}/retry`)).status)
    await at.app.drain()
  }
  expect(statuses).toEqual([200, 200, 200, 429, 429])
})

test('what follows from events is not lost: beyond sixty an hour to one inbox it comes later', async () => {
  await at.fresh()
  const studentId = await at.student({ email: TO })
  for (let n = 0; n < 65; n += 1) await issuedInvoice(world(), { studentId })
  expect(await arrived(TO)).toBe(60)
  expect(await at.log('&status=queued')).toHaveLength(5)
  await at.app.pass(3600)
  expect(at.mails.filter(({ to }) => to === TO)).toHaveLength(65)
})

test('an office’s normal day meets no pace: a class of forty families, and reminders of a family’s twelve invoices', async () => {
  await at.fresh()
  const students: string[] = []
  for (let n = 0; n < 40; n += 1) students.push(await at.student())
  const invoices: string[] = []
  for (let n = 0; n < 12; n += 1) {
    invoices.push((await issuedInvoice(world(), { studentId: students[0] })).id)
  }
  const sent = await at.send({ studentIds: students })
  expect(sent).toMatchObject({ status: 202, body: { queued: 40, skipped: [] } })
  const reminded = await at.institute.owner.post('/invoices/remind', { ids: invoices })
  expect(reminded.body).toMatchObject({ done: invoices, refused: [] })
  await at.app.drain()
  expect(await at.log('&status=queued')).toEqual([])
  expect(await at.log('&status=skipped')).toEqual([])
})
