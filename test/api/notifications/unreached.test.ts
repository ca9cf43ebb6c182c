import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createFileMailer } from '#ports/mail/file.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import type { Mailer } from '#ports/mail/port.ts'
import { newPhone } from '../examples/people.ts'
import { child, mother, openGroup } from '../registrations/place.ts'

/** Messages that reach nobody are told, not sent into the void. */

let app: TestApp
let institute: TestInstitute
/** How many mails went out. */
let sent = 0
let hasMailbox = true

beforeAll(async () => {
  app = await startApp({
    config: { accessTokenSeconds: 100 * 86_400 },
    openMailer: ({ dataDir }): Mailer => {
      const kept = createFileMailer({ folder: `${dataDir}/mail-outbox`, from: 'a@example.org', clock: app?.clock })
      return {
        get keepsMails() {
          return !hasMailbox
        },
        send: async (mail) => {
          if (!hasMailbox) return kept.send(mail)
          sent += 1
          return { answer: 'taken', passwordUnused: false }
        },
        close: async () => {},
      }
    },
  })
})
beforeEach(async () => {
  hasMailbox = true
  institute = await makeInstitute(app)
  await app.drain()
  sent = 0
})
afterAll(() => app.close())

const made = async (path: string, body: object): Promise<{ id: string }> => {
  const reply = await institute.owner.post(path, body)
  if (reply.status >= 300) throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body
}

/** The draft of a student whose payer has these addresses. */
const draftOf = async (payer: { email?: string }): Promise<{ id: string; payerId: string }> => {
  const student = { branchId: institute.branchId, firstName: 'Dana', lastName: 'Levi' }
  const { id: studentId } = await made('/students', student)
  const { id: payerId } = await made('/guardians', {
    firstName: 'Ruth',
    lastName: 'Levi',
    phone: newPhone(),
    ...payer,
  })
  const link = { guardianId: payerId, relationship: 'mother', isPrimary: true, isPayer: true }
  await made(`/students/${studentId}/guardians`, link)
  const { id } = await made('/invoices', { studentId, lines: [{ description: 'March', unitAmountMinor: 45_000 }] })
  return { id, payerId }
}
const issue = async (id: string) => (await institute.owner.post(`/invoices/${id}/issue`)).body
const remind = (id: string) => institute.owner.post(`/invoices/${id}/remind`)
const unreached = (payerId: string, because: string) => ({
  recipient: { kind: 'guardian', id: payerId, name: 'Ruth Levi' },
  because,
  canCall: because === 'no_address' || because === 'not_set_up',
})

describe('a payer who has a phone only', () => {
  test('is not reminded without a provider of texts: the refusal names them, and nothing is on its way', async () => {
    const { id, payerId } = await draftOf({})
    expect(await issue(id)).toMatchObject({ status: 'issued', unreached: unreached(payerId, 'no_address') })
    const refused = await remind(id)
    expect([refused.status, refused.body.error.details]).toEqual([
      409,
      { reason: 'nobody_reached', ...unreached(payerId, 'no_address') },
    ])
    await app.drain()
    expect(sent).toBe(0)
    await institute.owner.patch(`/guardians/${payerId}`, { email: 'ruth@example.org' })
    expect((await remind(id)).status).toBe(200)
    await app.drain()
    expect(sent).toBe(1)
  })

  test('is sent no receipt by mail', async () => {
    const { id, payerId } = await draftOf({})
    await issue(id)
    await made(`/invoices/${id}/payments`, { amountMinor: 45_000, currency: 'ILS', method: 'cash' })
    const [receipt] = (await institute.owner.get('/receipts')).body.data
    const refused = await institute.owner.post(`/receipts/${receipt.id}/send`)
    expect([refused.status, refused.body.error.details]).toEqual([
      409,
      { reason: 'nobody_reached', ...unreached(payerId, 'no_address') },
    ])
  })
})

test('a run of 23 of which 13 payers have no address issues all and lists the 13; a reminder of all refuses those', async () => {
  const all = await Promise.all(
    Array.from({ length: 23 }, (_, n) => draftOf(n < 13 ? {} : { email: `payer-${n}@example.org` })),
  )
  const without = all.slice(0, 13)
  const ids = all.map(({ id }) => id)
  const listed = without.map(({ id, payerId }) => ({ invoiceId: id, ...unreached(payerId, 'no_address') }))
  const { body } = await institute.owner.post('/invoices/issue', { ids })
  expect(body).toEqual({ done: ids, refused: [], unreached: listed })
  await app.drain()
  expect(sent).toBe(10)
  const reminded = await institute.owner.post('/invoices/remind', { ids })
  expect(reminded.body).toEqual({
    done: ids.slice(13),
    refused: without.map(({ id }) => ({ id, reason: 'nobody_reached' })),
    unreached: listed,
  })
  await app.drain()
  expect(sent).toBe(20)
})

test('where the institute has switched the text off, nobody is reached', async () => {
  const { id, payerId } = await draftOf({ email: 'ruth@example.org' })
  await issue(id)
  const text = { key: 'invoice.reminder_requested', channel: 'email', locale: 'en', body: 'Pay', isActive: false }
  await institute.owner.patch(`/guardians/${payerId}`, { preferredLocale: 'en' })
  const { id: templateId } = await made('/notification-templates', text)
  expect((await remind(id)).body.error.details).toMatchObject(unreached(payerId, 'text_off'))
  await institute.owner.delete(`/notification-templates/${templateId}`)
  expect((await remind(id)).status).toBe(200)
})

describe('a message that somebody writes', () => {
  const studentOf = async (fields = {}) =>
    (await made('/students', { branchId: institute.branchId, firstName: 'Dana', lastName: 'Levi', ...fields })).id
  const send = (studentIds: string[], channels = ['email']) =>
    institute.owner.post('/notifications/send', {
      recipients: { studentIds },
      channels,
      templateKey: 'message',
      data: { title: 'Trip', message: 'On Sunday.' },
    })
  const refused = (id: string, because: string) => ({
    status: 409,
    body: {
      error: {
        code: 'CONFLICT',
        details: { reason: 'nobody_reached', recipient: { kind: 'student', id, name: 'Dana Levi' }, because },
      },
    },
  })

  test('and that reaches nobody is refused, and names the first; one that reaches somebody goes out', async () => {
    const [first, second] = [await studentOf(), await studentOf()]
    expect(await send([first, second], ['email', 'push', 'in_app'])).toMatchObject(refused(first, 'no_address'))
    const third = await studentOf({ email: 'dana@example.org' })
    expect(await send([first, third])).toMatchObject({ status: 202, body: { queued: 1 } })
    await app.drain()
    expect(sent).toBe(1)
  })

  test('is refused while there is no mailbox over which it would go, and so is one that is sent again', async () => {
    const [id, other] = [await studentOf({ email: 'dana@example.org' }), await studentOf()]
    expect((await send([id, other])).status).toBe(202)
    await app.drain()
    hasMailbox = false
    expect(await send([id])).toMatchObject(refused(id, 'not_set_up'))
    await institute.owner.patch(`/students/${other}`, { email: 'late@example.org' })
    const [skipped] = (await institute.owner.get('/notifications?status=skipped')).body.data
    const again = () => institute.owner.post(`/notifications/${skipped.id}/retry`)
    expect(await again()).toMatchObject(refused(other, 'not_set_up'))
    hasMailbox = true
    expect((await again()).status).toBe(200)
    await app.drain()
    expect(sent).toBe(2)
  })
})

describe('a progress report', () => {
  const reportOf = async (student: object, guardian?: object) => {
    const fields = { branchId: institute.branchId, firstName: 'Dana', lastName: 'Levi', ...student }
    const { id: studentId } = await made('/students', fields)
    const parent = { firstName: 'Ruth', lastName: 'Levi', phone: newPhone(), ...guardian }
    const { id: guardianId } = await made('/guardians', parent)
    const link = { guardianId, relationship: 'mother', isPrimary: true, isPayer: true }
    if (guardian) await made(`/students/${studentId}/guardians`, link)
    const period = { periodStart: '2026-01-01', periodEnd: '2026-02-28' }
    const { id } = await made('/progress-reports', { studentId, ...period })
    return { id, studentId, guardianId, send: () => institute.owner.post(`/progress-reports/${id}/send`) }
  }

  test('that reaches neither the student nor a guardian stays a draft, until one of them can be told', async () => {
    const { id, guardianId, send } = await reportOf({}, {})
    expect(await send()).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'nobody_reached', ...unreached(guardianId, 'no_address') } } },
    })
    expect((await institute.owner.get(`/progress-reports/${id}`)).body.status).toBe('draft')
    await institute.owner.patch(`/guardians/${guardianId}`, { email: 'ruth@example.org' })
    expect(await send()).toMatchObject({ status: 200, body: { status: 'sent' } })
  })

  test('of a student without guardians names the student; one who has an address is enough', async () => {
    const alone = await reportOf({})
    expect((await alone.send()).body.error.details.recipient).toMatchObject({ kind: 'student', id: alone.studentId })
    expect((await (await reportOf({ email: 'dana@example.org' }, {})).send()).status).toBe(200)
  })
})

test('a registration says of each invoice that it issues whom no message about it reaches', async () => {
  const { branchId, owner } = institute
  const group = await openGroup(owner, branchId)
  const registered = async (guardian: object, invoice: string) => {
    const students = [child(branchId, { groups: [{ groupId: group.id }] })]
    const body = await made('/registrations', { guardian, relationship: 'mother', students, invoice })
    return body as unknown as { guardian: { id: string }; students: [{ invoices: [{ id: string }] }] }
  }
  const untold = await registered(mother(), 'issue')
  const [{ id: invoiceId }] = untold.students[0].invoices
  const recipient = { kind: 'guardian', id: untold.guardian.id, name: 'Hala Nasser' }
  const because = 'no_address'
  expect(untold.students[0].invoices).toMatchObject([{ unreached: { invoiceId, recipient, because } }])
  const told = await registered(mother({ email: 'hala@example.org' }), 'issue')
  expect(told.students[0].invoices).toMatchObject([{ unreached: null }])
  expect((await registered(mother(), 'draft')).students[0].invoices).toMatchObject([{ unreached: null }])
})

describe('without a mailbox', () => {
  const stuck = async () => (await institute.owner.get('/notifications/stuck')).body.channels
  const ask = (what: 'retry' | 'drop') => institute.owner.post(`/notifications/stuck/${what}`, { channel: 'email' })

  test('an address reaches nobody, and the mails of what happened wait, however long, until the owner sends them', async () => {
    hasMailbox = false
    const [first, second] = [await draftOf({ email: 'a1@example.org' }), await draftOf({ email: 'a2@example.org' })]
    expect(await issue(first.id)).toMatchObject({ unreached: unreached(first.payerId, 'not_set_up') })
    await issue(second.id)
    expect((await remind(first.id)).body.error.details.reason).toBe('nobody_reached')
    await app.drain()
    expect(await stuck()).toMatchObject([{ channel: 'email', waiting: 0, failed: 0, kept: 2 }])
    await app.pass(20 * 86_400)
    expect(await stuck()).toMatchObject([{ kept: 2 }])
    hasMailbox = true
    await app.pass(86_400)
    expect(sent).toBe(0)
    expect((await ask('retry')).body).toEqual({ waiting: 0, failed: 0, kept: 2 })
    await app.drain()
    expect([sent, await stuck()]).toEqual([2, []])
  })

  test('what the owner drops is never sent, stands in the log as skipped, and does not count', async () => {
    hasMailbox = false
    const { id } = await draftOf({ email: 'ruth@example.org' })
    await issue(id)
    await app.drain()
    const used = async () => (await institute.owner.get('/notifications/usage')).body.total
    expect(await used()).toBe(1)
    expect((await ask('drop')).body).toEqual({ waiting: 0, failed: 0, kept: 1 })
    hasMailbox = true
    await ask('retry')
    await app.pass(86_400)
    expect([sent, await stuck(), await used()]).toEqual([0, [], 0])
    const { data } = (await institute.owner.get('/notifications?channel=email')).body
    expect(data[0]).toMatchObject({ status: 'skipped', templateKey: 'invoice.issued' })
  })
})
