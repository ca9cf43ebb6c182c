import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '#kernel/contract/endpoint.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { loadExamples, pathOf, sendExample, worldOf, type World } from '#kit/examples.ts'
import { makeInstitute } from '#kit/institute.ts'
import { watchWrites, type Write } from '#kit/writes.ts'

/** A change that asks for the current values changes nothing: no row, no version, no updatedAt, no event. */

let app: TestApp
let world: World
/** The writes since the last call. */
let writes: () => Promise<Write[]>

const maker = await loadExamples()
const { app: probe } = await startApp()
const patches = probe.endpoints.filter(({ method }) => method === 'PATCH').map((one) => [one.id, one] as const)
await probe.close()

beforeAll(async () => {
  app = await startApp()
  writes = await watchWrites(app)
  world = worldOf(app, await makeInstitute(app))
})
afterAll(() => app.close())

type Fields = Record<string, unknown>

const minor = (money: unknown): unknown => (money as { amountMinor: number }).amountMinor

/** Values of a reply that must be sent in another form. */
const SENT: Record<string, (reply: Fields) => Fields> = {
  // Naming this field at all is refused.
  'feature-flags.update': (flags) => ({ ...flags, custom_domain: undefined }),
  'plans.update': ({ price, ...plan }) => ({
    ...plan,
    priceMinor: minor(price),
    currency: (price as { currency: string }).currency,
  }),
  'invoices.update': ({ lines, ...invoice }) => ({
    ...invoice,
    lines: (lines as Fields[]).map(({ description, quantity, unitAmount, discount, taxRatePercent }) => ({
      description,
      quantity,
      unitAmountMinor: minor(unitAmount),
      discountMinor: minor(discount),
      taxRatePercent,
    })),
  }),
}

/** The values of a record that its PATCH accepts. */
const ownValues = ({ id, body }: Endpoint, reply: Fields): Fields => {
  const { entries } = body as unknown as { entries: Record<string, v.GenericSchema> }
  const sent = SENT[id]?.(reply) ?? reply
  return Object.fromEntries(
    Object.entries(entries).flatMap(([field, schema]) =>
      field in sent && v.is(schema, sent[field]) ? [[field, sent[field]]] : [],
    ),
  )
}

describe('a PATCH that changes nothing', () => {
  test.each(patches)('%s writes nothing but its audit entry', async (_, endpoint) => {
    const example = await maker(endpoint).make(world)
    const { status, body: record } = await sendExample(endpoint, example, example.as ?? world.owner)
    expect(status, JSON.stringify(record)).toBe(200)
    const bodies = [ownValues(endpoint, record), ...(v.is(endpoint.body as v.GenericSchema, {}) ? [{}] : [])]
    expect(Object.keys(bodies[0] as Fields)).not.toHaveLength(0)
    for (const body of bodies) {
      await writes()
      app.clock.advance(1)
      const again = await (example.as ?? world.owner).send('PATCH', pathOf(endpoint, example), { body })
      expect(again).toMatchObject({ status: 200, body: record })
      expect((await writes()).map(({ table, how }) => `${how} ${table}`)).toEqual(['insert audit_entry'])
    }
  })
})
