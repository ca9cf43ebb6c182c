import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { txtByNameServers } from '#ports/dns/name-servers.ts'
import { txtServer, type TxtServer, type ZoneEntry } from '#kit/txt-server.ts'

let dns: TxtServer
beforeAll(async () => {
  dns = await txtServer()
})
afterAll(() => dns[Symbol.asyncDispose]())

const NAME = '_institute-verify.school.example'
const answerWith = async (
  entry: ZoneEntry | undefined,
  more: Record<string, ZoneEntry> = {},
  deadlineMillis = 5000,
) => {
  dns.zone.clear()
  if (entry !== undefined) dns.zone.set(NAME, entry)
  for (const [name, other] of Object.entries(more)) dns.zone.set(name, other)
  return txtByNameServers({ servers: [dns.server], deadlineMillis }).lookUp(NAME)
}

describe('TXT records from a name server', () => {
  test('are all there, in whole, however they are split', async () => {
    const long = ['a'.repeat(255), 'b'.repeat(40)]
    expect(await answerWith({ txt: ['one', ['tw', 'o'], long] })).toEqual({
      values: expect.arrayContaining(['one', 'two', long.join('')]),
    })
  })

  test('come by TCP where there are more than a datagram holds', async () => {
    dns.asked.tcp.length = 0
    const many = Array.from({ length: 200 }, (_, index) => `v=spf${index} ${'x'.repeat(100)}`)
    const answer = await answerWith({ txt: [...many, 'the token'] })
    expect(answer).toMatchObject({ values: expect.arrayContaining(['the token', ...many]) })
    expect(dns.asked.tcp).toEqual([NAME])
  })

  test('are found behind aliases', async () => {
    const chain = { 'a.other.example': { alias: 'b.other.example' }, 'b.other.example': { txt: ['there'] } } as const
    expect(await answerWith({ alias: 'a.other.example' }, chain)).toEqual({ values: ['there'] })
  })

  test.each<[string, ZoneEntry | undefined, string]>([
    ['a name that is not there', undefined, 'no_name'],
    ['a name without TXT records', { txt: [] }, 'no_record'],
    ['an alias that leads nowhere', { alias: 'gone.example' }, 'no_name'],
    ['SERVFAIL', { code: 2 }, 'server_failed'],
    ['REFUSED', { code: 5 }, 'server_failed'],
  ])('%s: %#', async (_, entry, problem) => {
    expect(await answerWith(entry)).toEqual({ problem })
  })

  test('bytes that are no answer, and silence, end within the deadline', async () => {
    for (const entry of ['noise', 'silence'] as const) {
      const began = performance.now()
      const answer = await answerWith(entry, {}, 600)
      expect(answer).toEqual({ problem: expect.stringMatching(/^(no_answer|server_failed)$/) })
      expect(performance.now() - began).toBeLessThan(3000)
    }
  })

  test('nobody who listens: no answer', async () => {
    const gone = await txtServer()
    await gone[Symbol.asyncDispose]()
    const { lookUp } = txtByNameServers({ servers: [gone.server], deadlineMillis: 600 })
    expect(await lookUp(NAME)).toEqual({ problem: 'no_answer' })
  })
})
