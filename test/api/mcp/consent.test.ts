import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { assistantOf, assistantsOf, connectMcp, newKey, REVISIONS, type McpClient } from '#kit/mcp.ts'
import { newGroup, newPupil } from '../examples/sessions.ts'

let app: TestApp
let institute: TestInstitute
beforeAll(async () => {
  app = await startApp({ modules: [assistantsOf(() => app)] })
  institute = await makeInstitute(app, { features: { mcp: true } })
})
afterAll(() => app.close())

let studentId: string
let invoiceId: string
beforeEach(async () => {
  studentId = await newPupil(institute, await newGroup(institute), { firstName: 'Dana', lastName: 'Levi' })
  const { body } = await institute.owner.post('/invoices', {
    studentId,
    lines: [{ description: 'Fee', quantity: 1, unitAmountMinor: 45_000 }],
  })
  invoiceId = body.id
  await institute.owner.post(`/invoices/${invoiceId}/issue`)
})

const payment = () => ({ invoiceId, amountMinor: 20_000, currency: 'ILS', method: 'cash' })
const paid = async (): Promise<number> =>
  (await institute.owner.get(`/invoices/${invoiceId}`)).body.payments
    .map(({ amount }: { amount: { amountMinor: number } }) => amount.amountMinor)
    .reduce((sum: number, one: number) => sum + one, 0)

describe.each(REVISIONS)('a client that cannot ask a person, in the revision of %s', (revision) => {
  let assistant: McpClient
  beforeAll(async () => {
    assistant = await connectMcp(app, assistantOf(institute.owner), { revision })
  })

  test('is told what a payment would be, and records it by the token', async () => {
    const preview = await assistant.call('payment_record', payment())
    expect(preview.text).toContain('Nothing is changed yet')
    expect(preview.text).toContain('200.00 ILS')
    expect(preview.text).toMatch(/^Invoice: number: "\S+"; total: 450\.00 ILS; paid: 0\.00 ILS$/m)
    expect(preview.text).toMatch(/^Student: firstName: "Dana"; lastName: "Levi"; studentNumber: "\S+"$/m)
    expect(preview.text).toContain(preview.content.confirmToken)
    expect(preview.content).toMatchObject({ preview: { amount: { amountMinor: 20_000, currency: 'ILS' } } })
    expect(preview.content).not.toHaveProperty('result')
    expect(await paid()).toBe(0)

    const { confirmToken } = preview.content
    const done = await assistant.call('payment_record', { ...payment(), confirmToken })
    expect(done.text).toMatch(/^The payment is recorded/)
    expect(await paid()).toBe(20_000)
  })

  test('who uses a token twice pays once', async () => {
    const { confirmToken } = (await assistant.call('payment_record', payment())).content
    const confirmed = { ...payment(), confirmToken }
    const [one, two] = await Promise.all([
      assistant.call('payment_record', confirmed),
      assistant.call('payment_record', confirmed),
    ])
    const third = await assistant.call('payment_record', confirmed)
    expect(await paid()).toBe(20_000)
    expect(third.text).toMatch(/^This was done before; this call has changed nothing/)
    const ids = [one, two, third].filter(({ isError }) => !isError).map(({ content }) => content.result.id)
    expect(new Set(ids).size).toBe(1)
  })

  test('a token of other arguments, another tool, another caller, or none, is refused', async () => {
    const { confirmToken } = (await assistant.call('payment_record', payment())).content
    const other = await connectMcp(app, assistantOf(await institute.member({ role: 'admin' })), { revision })
    const key = await connectMcp(app, await newKey(institute, ['mcp.access', 'payments.record']), { revision })
    const refused = [
      await assistant.call('payment_record', { ...payment(), amountMinor: 45_000, confirmToken }),
      await assistant.call('payment_record', { ...payment(), method: 'card', confirmToken }),
      await assistant.call('invoice_issue', { invoiceId, confirmToken }),
      await other.call('payment_record', { ...payment(), confirmToken }),
      await key.call('payment_record', { ...payment(), confirmToken }),
      await assistant.call('payment_record', { ...payment(), confirmToken: `${confirmToken}x` }),
      await assistant.call('payment_record', { ...payment(), confirmToken: 'yes' }),
      await assistant.call('payment_record', { ...payment(), confirmToken: true }),
    ]
    for (const { isError, text } of refused) {
      expect(isError).toBe(true)
      expect(text).toMatch(/^VALIDATION_ERROR: .*\n.*"confirmToken"/)
    }
    expect(await paid()).toBe(0)
  })

  test('what would be refused is refused before anybody is asked', async () => {
    const { isError, text } = await assistant.call('payment_record', { ...payment(), amountMinor: 99_999 })
    expect([isError, text.split(':')[0]]).toEqual([true, 'VALIDATION_ERROR'])
  })
})

/** Sends one message as it is, unlike the client of the SDK, which asks and sends again by itself. */
const send = async (name: string, given: Record<string, unknown>, more: object = {}) => {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
  }
  const params = { name, arguments: given, _meta: meta, ...more }
  const { body } = await app.as(assistantOf(institute.owner)).send('POST', '//mcp', {
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    headers: {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
  })
  return body
}
const agreed = { inputResponses: { confirm: { action: 'accept', content: { agree: true } } } }

describe('a client that can ask a person', () => {
  const connect = (answer: 'accept' | 'decline' | 'cancel', agree = true) => {
    const asked: string[] = []
    const person = (message: string) => {
      asked.push(message)
      return answer === 'accept' ? { action: answer, content: { agree } } : { action: answer }
    }
    return connectMcp(app, assistantOf(institute.owner), { person }).then((assistant) => ({ assistant, asked }))
  }

  test('asks once, in words that say how much, and records the payment', async () => {
    const { assistant, asked } = await connect('accept')
    const done = await assistant.call('payment_record', payment())
    expect(done.text).toMatch(/^The payment is recorded/)
    expect(asked).toEqual([
      expect.stringMatching(/^Record a payment\? Nothing is changed yet\.[^]*"Dana"; lastName: "Levi"[^]*200\.00 ILS/),
    ])
    expect(await paid()).toBe(20_000)
  })

  test('changes nothing when the person declines, cancels, or does not agree', async () => {
    for (const [answer, agree] of [['decline'], ['cancel'], ['accept', false]] as const) {
      const { assistant } = await connect(answer, agree)
      const { isError, text } = await assistant.call('payment_record', payment())
      expect([isError, text]).toEqual([true, 'DECLINED: A person was asked and did not agree. Nothing is changed.'])
    }
    expect(await paid()).toBe(0)
  })

  test('cannot answer before it was asked', async () => {
    const unasked = await send('payment_record', payment(), agreed)
    expect(unasked.result.resultType).toBe('input_required')
    for (const requestState of ['made up', '', `${unasked.result.requestState}x`]) {
      const { error } = await send('payment_record', payment(), { ...agreed, requestState })
      expect(error).toMatchObject({ code: -32_602, data: { reason: 'invalid_request_state' } })
    }
    expect(await paid()).toBe(0)
  })

  test('cannot answer for other arguments, or for another tool', async () => {
    const { requestState } = (await send('payment_record', payment())).result
    const answer = { ...agreed, requestState }
    for (const [name, given] of [
      ['payment_record', { ...payment(), amountMinor: 45_000 }],
      ['payment_record', { ...payment(), method: 'card' }],
      ['invoice_issue', { invoiceId }],
    ] as const) {
      expect((await send(name, given, answer)).error.code).toBe(-32_602)
    }
    expect((await send('payment_record', payment(), answer)).result.structuredContent.result.id).toBeDefined()
    expect(await paid()).toBe(20_000)
  })

  test('is asked again when the answer is none', async () => {
    const { requestState } = (await send('payment_record', payment())).result
    for (const confirm of [12_345, 'yes', null, [], {}, { action: 'maybe' }, undefined]) {
      const { result, error } = await send('payment_record', payment(), { inputResponses: { confirm }, requestState })
      expect(result?.resultType ?? error).toBe('input_required')
    }
    expect(await paid()).toBe(0)
  })
})

test('a preview names what the caller may read, and no more', async () => {
  const key = await newKey(institute, ['mcp.access', 'payments.record'])
  const { text, content } = await (await connectMcp(app, key)).call('payment_record', payment())
  expect(content.confirmToken).toEqual(expect.any(String))
  expect(text).not.toContain('Dana')
})

test('the message that would be sent, and to how many, is told before it is sent', async () => {
  const groupId = await newGroup(institute)
  await newPupil(institute, groupId, { email: 'pupil@example.org' })
  const assistant = await connectMcp(app, assistantOf(institute.owner))
  const message = {
    templateKey: 'message',
    channels: ['email'],
    recipients: { groupId },
    data: { title: 'Closed', message: 'We are closed on Monday.' },
  }
  const preview = await assistant.call('notification_send', message)
  expect(preview.text).toContain('"We are closed on Monday."')
  expect(preview.content.preview.queued).toBe(1)
  await app.drain()
  expect(app.mails).toEqual([])
  const { confirmToken } = preview.content
  const sent = await assistant.call('notification_send', { ...message, confirmToken })
  expect(sent.text).toMatch(/^The messages are on their way/)
  await app.drain()
  expect(app.mails).toHaveLength(1)
})

test('a token and a question are good for ten minutes', async () => {
  const assistant = await connectMcp(app, assistantOf(institute.owner))
  const { confirmToken, expiresAt } = (await assistant.call('payment_record', payment())).content
  expect(expiresAt).toBe('2026-03-02T08:10:00.000Z')
  const { requestState } = (await send('payment_record', payment())).result
  app.clock.advance(600)
  const { text } = await assistant.call('payment_record', { ...payment(), confirmToken })
  expect(text).toContain('Has expired')
  expect((await send('payment_record', payment(), { ...agreed, requestState })).error.code).toBe(-32_602)
  expect(await paid()).toBe(0)
})
