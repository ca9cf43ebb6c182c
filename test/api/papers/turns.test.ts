import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Requester } from '#kernel/contract/fair-line.ts'
import { PapersWaiting, type Papers } from '#ports/papers/port.ts'
import { requester } from '#runtime/change/requester.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { loadExamples, sendExample, worldOf } from '#kit/examples.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { pdf } from '#kit/paper.ts'
import { issuedInvoice } from '../examples/billing.ts'

/** For whom papers were asked of the program's own printer, and for whom they were made, in their order. */
let asked: Requester[] = []
let made: string[] = []
let app: TestApp
let one: TestInstitute
let other: TestInstitute
beforeAll(async () => {
  app = await startApp({
    papers: (real: Papers) => ({
      ...real,
      print: async (paper, logo) => {
        asked.push(requester())
        const [institute] = requester().clients
        const bytes = await real.print(paper, logo)
        made.push(institute === one.tenant.id ? 'one' : 'other')
        return bytes
      },
    }),
  })
  one = await makeInstitute(app)
  other = await makeInstitute(app)
})
beforeEach(() => {
  asked = []
  made = []
})
afterAll(() => app.close())

const untilAsked = async (count: number): Promise<void> => {
  while (asked.length < count) await new Promise(setImmediate)
}

test('a flood of papers keeps no other institute waiting, and what has no place is refused by name', async () => {
  const [{ id }, { id: theirs }] = [await issuedInvoice(worldOf(app, one)), await issuedInvoice(worldOf(app, other))]
  const flood = Array.from({ length: 40 }, () => one.owner.get(`/invoices/${id}/pdf`))
  await untilAsked(40)
  const before = made.length
  expect(await pdf(app, other.owner, `/invoices/${theirs}/pdf`)).toMatchObject({ status: 200 })
  // What was under way when they asked, and no more.
  expect(made.indexOf('other') - before).toBeLessThanOrEqual(2)
  const replies = await Promise.all(flood)
  const refused = replies.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused[0]?.body.error).toMatchObject({ code: 'RATE_LIMITED', details: { reason: 'papers_waiting' } })
})

test('a paper waits for its member, and one of a mail behind those of people', async () => {
  const institute = await makeInstitute(app)
  await institute.owner.patch('/settings', { papers: { inMails: true } })
  const student = { branchId: institute.branchId, firstName: 'Noor', lastName: 'Haddad', email: 'noor@example.org' }
  const { body } = await institute.owner.post('/students', student)
  const { id } = await issuedInvoice(worldOf(app, institute), { studentId: body.id })
  await app.drain()
  expect(await pdf(app, institute.owner, `/invoices/${id}/pdf`)).toMatchObject({ status: 200 })
  expect(asked.map(({ clients: [tenantId], isPatient }) => [tenantId, isPatient])).toEqual([
    [institute.tenant.id, true],
    [institute.tenant.id, false],
  ])
})

test('each paper for which there is no place is refused so, and says when to ask again', async () => {
  const print = async () => {
    throw PapersWaiting(undefined, { 'Retry-After': '2' })
  }
  const busy = await startApp({ papers: (real) => ({ ...real, print }) })
  try {
    const world = worldOf(busy, await makeInstitute(busy))
    const maker = await loadExamples()
    const papers = busy.app.endpoints.filter(({ id }) => /(?:\.|-)pdf$/.test(id))
    expect(papers.length).toBeGreaterThan(5)
    for (const endpoint of papers) {
      const reply = await sendExample(endpoint, await maker(endpoint).make(world), world.owner)
      expect(reply, endpoint.id).toMatchObject({
        status: 429,
        body: { error: { details: { reason: 'papers_waiting' } } },
      })
      expect(reply.headers.get('retry-after'), endpoint.id).toBe('2')
    }
  } finally {
    await busy.close()
  }
})
