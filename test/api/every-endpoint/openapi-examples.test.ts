import path from 'node:path'
import * as v from 'valibot'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Exchange } from '#http/openapi/document.ts'
import type { Endpoint } from '#kernel/contract/endpoint.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { loadExamples, sendExample, worldOf } from '#kit/examples.ts'
import { makeInstitute } from '#kit/institute.ts'
import { anonymous } from '#kit/openapi/anonymous.ts'

/**
 * The examples of the API's document are requests that are sent here, and the replies to them. After a change that they
 * show, `npm test -- -u` renews them.
 */
const FILE = path.resolve('web-setup/docs/examples.json')

let app: TestApp
beforeAll(async () => {
  app = await startApp({ config: { registration: true } })
})
afterAll(() => app.close())

const maker = await loadExamples()

const isShown = ({ forPeople, takes, gives, body, reply }: Endpoint): boolean =>
  !forPeople && takes === 'json' && gives === 'json' && (body !== undefined || reply !== null)

/** An empty list shows nothing. */
const isEmpty = (reply: unknown): boolean => {
  const rows = Array.isArray(reply) ? reply : (reply as { data?: unknown }).data
  return Array.isArray(rows) && rows.length === 0
}

/** What the operation may have something to show of. */
const FILLED_BY: Readonly<Record<string, string>> = { 'payments.list': 'payments.record' }

/** Each in an institute of its own, so that none depends on another. */
const made = async (endpoint: Endpoint): Promise<Exchange> => {
  const world = { ...worldOf(app, await makeInstitute(app)), serial: 1 }
  const filling = FILLED_BY[endpoint.id] ?? endpoint.id.replace(/\.(list|tree)$/, '.create')
  const other = app.app.endpoints.find(({ id }) => id === filling && id !== endpoint.id)
  if (other) {
    const first = await maker(other).make(world)
    await sendExample(other, first, first.as ?? world.owner)
  }
  const example = await maker(endpoint).make(world)
  const { status, body: reply } = await sendExample(endpoint, example, example.as ?? world.owner)
  expect(status, `${endpoint.id}: ${JSON.stringify(reply)}`).toBe(endpoint.status)
  const shown = anonymous()
  return {
    ...(endpoint.body && example.body !== undefined && { request: shown(example.body) }),
    ...(endpoint.reply && !isEmpty(reply) && { reply: shown(reply) }),
  }
}

test('every operation has an example that was sent, and that its schemas take', { timeout: 120_000 }, async () => {
  const endpoints = app.app.endpoints.filter(isShown).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const lines: string[] = []
  for (const endpoint of endpoints) {
    const exchange = await made(endpoint)
    const { request, reply } = exchange
    if (endpoint.body && request !== undefined)
      expect(v.safeParse(endpoint.body, request).issues, endpoint.id).toBe(undefined)
    if (endpoint.reply && reply !== undefined)
      expect(v.safeParse(endpoint.reply, reply).issues, endpoint.id).toBe(undefined)
    if (Object.keys(exchange).length > 0) lines.push(`${JSON.stringify(endpoint.id)}: ${JSON.stringify(exchange)}`)
  }
  await expect(`{\n${lines.join(',\n')}\n}\n`).toMatchFileSnapshot(FILE)
})
