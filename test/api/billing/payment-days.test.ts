import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { fillInstitute } from '#kit/fill-institute.ts'
import { idAt } from '#kit/fill.ts'
import { makeInstitute } from '#kit/institute.ts'

/** The list gives the same result for few payments, which it looks up, and for many, through which it scans. */

const PAYMENTS = 5400

let app: TestApp
let owner: Client
/** Reaches every second payment. */
let manager: Client

beforeAll(async () => {
  app = await startApp()
  const institute = await makeInstitute(app)
  const { body } = await institute.owner.post('/branches', { name: 'North' })
  owner = institute.owner
  manager = await institute.member({ role: 'branch_manager', branchId: institute.branchId })
  // The n-th payment was received n minutes after the start of 2020 in UTC, which is two hours later in Jerusalem.
  const branchIds = [institute.branchId, body.id as string]
  await fillInstitute(app, institute, { students: PAYMENTS, others: PAYMENTS, branchIds })
}, 60_000)
afterAll(() => app.close())

const all = async (client: Client, query: string): Promise<string[]> => {
  const ids: string[] = []
  let cursor = ''
  do {
    const { status, body } = await client.get(`/payments?${query}&limit=100${cursor}`)
    expect(status).toBe(200)
    ids.push(...body.data.map(({ id }: { id: string }) => id))
    cursor = body.nextCursor === null ? '' : `&cursor=${encodeURIComponent(body.nextCursor as string)}`
  } while (cursor !== '')
  return ids
}

const newestFirst = (from: number, to: number, take: (n: number) => boolean = () => true): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => to - index)
    .filter(take)
    .map((n) => idAt('payment', n))

const minute = (day: number, hour = 0) => ((day - 1) * 24 + hour) * 60

describe('the payments of some days', () => {
  test.each<[string, string, number, number]>([
    ['one of many', 'from=2020-01-02&to=2020-01-02', minute(1, 22), minute(2, 22) - 1],
    ['the first of many', 'to=2020-01-01', 1, minute(1, 22) - 1],
    ['the last', 'from=2020-01-04', minute(3, 22), PAYMENTS],
    ['almost all', 'from=2020-01-01', 1, PAYMENTS],
    ['all but the last', 'from=2020-01-01&to=2020-01-04', 1, Math.min(PAYMENTS, minute(4, 22) - 1)],
    ['a day before all', 'to=2019-12-31', 1, 0],
  ])('%s', async (_, query, from, to) => {
    expect(await all(owner, query)).toEqual(newestFirst(from, to))
    expect(await all(manager, query)).toEqual(newestFirst(from, to, (n) => n % 2 === 0))
    expect(await all(owner, `${query}&method=cash`)).toEqual(newestFirst(from, to, (n) => n % 2 === 0))
  })

  test('of one invoice', async () => {
    const query = `invoiceId=${idAt('invoice', 2000)}`
    expect(await all(owner, `${query}&from=2020-01-02&to=2020-01-02`)).toEqual([idAt('payment', 2000)])
    expect(await all(owner, `${query}&from=2020-01-01`)).toEqual([idAt('payment', 2000)])
    expect(await all(owner, `${query}&from=2020-01-03`)).toEqual([])
  })
})
