import dns, { type Answer, type DecodedPacket, type Packet, type Question } from 'dns-packet'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isLabel } from '#kernel/basics/lan-label.ts'
import { randomLabel } from '#modules/issuer/random-label.ts'
import { answerTo, comeByTcp } from '#ports/lan-zone/answer.ts'
import type { ZoneHost } from '#ports/lan-zone/port.ts'

const ZONE = { name: 'lan.vendor.example', nameServers: ['ns1.vendor.example', 'ns2.vendor.example'] }
const LABEL = 'bcdfghjkmn'
const NAME = `${LABEL}.${ZONE.name}`
const HOST: ZoneHost = { addresses: ['192.168.1.20', '10.0.0.7', 'fd00::20'], challenge: 'the-digest' }

const depsWith = (host: ZoneHost | undefined = HOST) => ({
  zone: ZONE,
  find: async (label: string) => (label === LABEL ? host : undefined),
  now: () => Date.UTC(2026, 2, 2),
})

interface Reply extends DecodedPacket {
  rcode: string
  bytes: Buffer
}

/** What a resolver gets by UDP for a question. */
const ask = async (
  name: string,
  type: string,
  more: Partial<Packet> & { host?: ZoneHost; class?: Question['class'] } = {},
): Promise<Reply> => {
  const { host = HOST, class: kind = 'IN', ...packet } = more
  const question = { name, type: type as Question['type'], class: kind }
  const bytes = await answerTo(depsWith(host), dns.encode({ type: 'query', id: 7, questions: [question], ...packet }))
  if (!bytes) throw new Error('no reply')
  return { ...(dns.decode(bytes) as Reply), bytes }
}

const dataOf = ({ answers = [] }: Packet): unknown[] => answers.map((one) => (one as { data: unknown }).data)
const opt = (more: object = {}): Answer => ({
  name: '.',
  type: 'OPT',
  udpPayloadSize: 4096,
  extendedRcode: 0,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: [],
  ...more,
})

describe('a name of the zone', () => {
  test('leads to the addresses of the type that is asked for', async () => {
    const four = await ask(NAME, 'A')
    expect([four.rcode, four.flag_aa, four.flag_ra, dataOf(four)]).toEqual([
      'NOERROR',
      true,
      false,
      ['192.168.1.20', '10.0.0.7'],
    ])
    expect(dataOf(await ask(NAME, 'AAAA'))).toEqual(['fd00::20'])
  })

  test('is answered in the letters in which it was asked for', async () => {
    const asked = 'BcDFghJkmN.lAn.VENDOR.example'
    const reply = await ask(asked, 'A')
    expect([reply.questions?.[0]?.name, reply.answers?.[0]?.name]).toEqual([asked, asked])
    expect(dataOf(reply)).toEqual(['192.168.1.20', '10.0.0.7'])
  })

  test('that has nothing of a type says so, for a minute, and one that is not there too', async () => {
    const none = await ask(NAME, 'MX')
    expect([none.rcode, none.answers, none.authorities?.[0]]).toMatchObject([
      'NOERROR',
      [],
      { type: 'SOA', name: ZONE.name, ttl: 60, data: { minimum: 60, mname: 'ns1.vendor.example' } },
    ])
    for (const name of [`zzzzzzzzzz.${ZONE.name}`, `www.${ZONE.name}`, `a.${NAME}`, `_acme-challenge.${ZONE.name}`]) {
      const reply = await ask(name, 'A')
      expect([name, reply.rcode, reply.authorities?.[0]?.type]).toEqual([name, 'NXDOMAIN', 'SOA'])
    }
  })

  test('shows its challenge to authorities, while there is one', async () => {
    const found = await ask(`_ACME-challenge.${NAME}`, 'TXT')
    expect(found.answers).toMatchObject([{ type: 'TXT', data: [Buffer.from('the-digest')] }])
    const host = { ...HOST, challenge: null }
    const gone = await ask(`_acme-challenge.${NAME}`, 'TXT', { host })
    expect([gone.rcode, gone.answers]).toEqual(['NOERROR', []])
    expect((await ask(NAME, 'TXT')).answers).toEqual([])
  })
})

describe('the zone itself', () => {
  test('names its servers, and the one authority that may give certificates below it', async () => {
    expect(dataOf(await ask(ZONE.name, 'NS'))).toEqual(ZONE.nameServers)
    expect(dataOf(await ask(ZONE.name, 'SOA'))).toMatchObject([{ rname: 'hostmaster.lan.vendor.example' }])
    expect(dataOf(await ask(ZONE.name, 'CAA'))).toMatchObject([{ tag: 'issue', value: 'letsencrypt.org' }])
    expect((await ask(ZONE.name, 'A')).rcode).toBe('NOERROR')
  })

  test.each([
    ['vendor.example', 'A', 'IN'],
    ['example.org', 'A', 'IN'],
    ['.', 'NS', 'IN'],
    [`x${ZONE.name}`, 'A', 'IN'],
    [ZONE.name, 'AXFR', 'IN'],
    [NAME, 'IXFR', 'IN'],
    [NAME, 'A', 'CH'],
  ] as const)('is all that is answered: not %s %s %s', async (name, type, kind) => {
    const reply = await ask(name, type, { class: kind })
    expect([reply.rcode, reply.flag_aa, reply.answers, reply.authorities]).toEqual(['REFUSED', false, [], []])
  })
})

describe('a reply', () => {
  const crowd = { addresses: Array.from({ length: 24 }, (_, nth) => `10.0.0.${nth}`), challenge: null }

  test('that is longer than who asks takes comes by TCP', async () => {
    const short = await ask(NAME, 'A', { host: crowd })
    expect([short.flag_tc, short.answers, short.bytes.length <= 512]).toEqual([true, [], true])
    const long = await ask(NAME, 'A', { host: crowd, additionals: [opt()] })
    expect([long.flag_tc, long.answers?.length, long.bytes.length <= 1232]).toEqual([false, 24, true])
    expect(long.additionals?.[0]).toMatchObject({ type: 'OPT', udpPayloadSize: 1232 })
    const question = dns.encode({ questions: [{ name: NAME, type: 'A' }] })
    const byTcp = dns.decode((await answerTo(depsWith(crowd), question, 65_535)) as Buffer)
    expect([byTcp.flag_tc, byTcp.answers?.length]).toEqual([false, 24])
  })

  test('to who asks for everything is one record', async () => {
    expect((await ask(NAME, 'ANY')).answers).toHaveLength(1)
    expect((await ask(ZONE.name, 'ANY')).answers).toHaveLength(1)
  })

  test('says what it does not do: other operations, and other versions of EDNS', async () => {
    expect((await ask(NAME, 'A', { flags: 2 << 11 })).rcode).toBe('NOTIMP')
    const reply = await ask(NAME, 'A', { additionals: [opt({ ednsVersion: 1 })] })
    expect([reply.rcode, reply.answers, reply.additionals]).toMatchObject(['NOERROR', [], [{ extendedRcode: 1 }]])
  })

  test('is a failure of the server where the records cannot be read', async () => {
    const deps = { ...depsWith(), find: () => Promise.reject(new Error('no database')) }
    const bytes = await answerTo(deps, dns.encode({ id: 9, questions: [{ name: NAME, type: 'A' }] }))
    expect(dns.decode(bytes as Buffer)).toMatchObject({ id: 9, rcode: 'SERVFAIL' })
  })

  test('is made to no reply, and to no bytes without a header', async () => {
    const reply = await ask(NAME, 'A')
    expect(await answerTo(depsWith(), reply.bytes)).toBeUndefined()
    expect(await answerTo(depsWith(), Buffer.alloc(11))).toBeUndefined()
    expect(comeByTcp(reply.bytes)).toBeUndefined()
  })

  test('to what cannot be read has its number and no more', async () => {
    const two = dns.encode({
      id: 513,
      questions: [
        { name: NAME, type: 'A' },
        { name: NAME, type: 'AAAA' },
      ],
    })
    const none = dns.encode({ id: 513, questions: [] })
    // A label of bytes that are no text, and one with a dot inside, could not be repeated as they came.
    const strange = [Buffer.from([3, 0xff, 0xfe, 0xfd, 0]), Buffer.from([3, 0x61, 0x2e, 0x62, 0])].map((name) =>
      Buffer.concat([two.subarray(0, 4), Buffer.from([0, 1, 0, 0, 0, 0, 0, 0]), name, Buffer.from([0, 1, 0, 1])]),
    )
    for (const bytes of [two, none, ...strange, two.subarray(0, 30)]) {
      const reply = (await answerTo(depsWith(), bytes)) as Buffer
      expect([reply.length, reply.readUInt16BE(0), reply.readUInt16BE(2) & 0x800f]).toEqual([12, 513, 0x8001])
    }
  })

  test('that asks for TCP is no longer than what came', () => {
    const asked = dns.encode({ type: 'query', id: 3, questions: [{ name: NAME, type: 'A' }] })
    const reply = comeByTcp(asked) as Buffer
    expect(reply.length).toBeLessThanOrEqual(asked.length)
    expect(dns.decode(reply)).toMatchObject({ id: 3, flag_tc: true, questions: [{ name: NAME }] })
  })
})

const asMessage = fc.oneof(
  fc.uint8Array({ maxLength: 600 }).map((bytes) => Buffer.from(bytes)),
  // A good question with some bytes changed, and what its header counts with them.
  fc
    .tuple(
      fc.constantFrom(NAME, ZONE.name, `_acme-challenge.${NAME}`, 'example.org'),
      fc.constantFrom('A', 'TXT', 'ANY', 'SOA'),
      fc.array(fc.tuple(fc.nat(80), fc.nat(255)), { maxLength: 6 }),
      fc.nat(90),
    )
    .map(([name, type, changes, length]) => {
      const bytes = dns.encode({ questions: [{ name, type: type as Question['type'] }], additionals: [opt()] })
      for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value
      return bytes.subarray(0, length)
    }),
)

test('no bytes make it throw, answer at length, or answer with something that cannot be read', async () => {
  await fc.assert(
    fc.asyncProperty(asMessage, async (message) => {
      const reply = await answerTo(depsWith(), message)
      if (!reply) return
      expect(reply.length).toBeLessThanOrEqual(1232)
      expect(reply.readUInt16BE(0)).toBe(message.readUInt16BE(0))
      expect(dns.decode(reply).flag_qr).toBe(true)
    }),
    { numRuns: 3000 },
  )
})

test('labels are of one form, and not made twice', () => {
  const labels = Array.from({ length: 1000 }, randomLabel)
  expect(labels.every(isLabel)).toBe(true)
  expect(new Set(labels).size).toBe(1000)
  for (const other of ['', 'bcdfghjkm', 'bcdfghjkmnp', 'BCDFGHJKMN', 'aaaaaaaaaa', 'bcdfghjkm.']) {
    expect(isLabel(other)).toBe(false)
  }
})
