import { describe, expect, test } from 'vitest'
import type { Answer } from 'dns-packet'
import { ANY, isOnLink, othersOf, recordsOf, replyTo, yieldsTo } from '#ports/lan-name/records.ts'

const NETWORK = { address: '192.168.1.20', cidr: '192.168.1.20/24', ipv6: ['fd00::20'] }
const BARE = { ...NETWORK, ipv6: [] }
const NAME = 'institute.local'
const A: Answer = { name: NAME, type: 'A', ttl: 120, flush: true, data: '192.168.1.20' }
const AAAA: Answer = { name: NAME, type: 'AAAA', ttl: 120, flush: true, data: 'fd00::20' }

const reply = (
  type: 'A' | 'AAAA' | typeof ANY | 'PTR',
  more: Partial<Parameters<typeof replyTo>[1]> = {},
  answers: Answer[] = [],
) =>
  replyTo(
    { questions: [{ name: 'Institute.LOCAL', type }], answers },
    { name: NAME, network: NETWORK, isPlain: false, ...more },
  )

describe('whoever asks for the name', () => {
  test('is told the address of its network, of the type that it asks for', () => {
    expect(reply('A')).toEqual({ answers: [A] })
    expect(reply('AAAA')).toEqual({ answers: [AAAA] })
    expect(reply(ANY)).toEqual({ answers: [A, AAAA] })
  })

  test('is told that there is no IPv6 address, and does not wait for one', () => {
    const nothing = { name: NAME, type: 'NSEC', ttl: 120, flush: true, data: { nextDomain: NAME, rrtypes: ['A'] } }
    expect(reply('AAAA', { network: BARE })).toEqual({ answers: [nothing] })
  })

  test('gets no answer that it knows already, unless it will forget it soon', () => {
    expect(reply('A', {}, [A])).toBeUndefined()
    expect(reply('A', {}, [{ ...A, ttl: 59 }])).toEqual({ answers: [A] })
    expect(reply('A', {}, [{ ...A, data: '192.168.1.21' }])).toEqual({ answers: [A] })
  })

  test('as of a name server gets a plain answer, with its question', () => {
    expect(reply('A', { isPlain: true })).toEqual({
      questions: [{ name: 'Institute.LOCAL', type: 'A' }],
      answers: [{ ...A, flush: false, ttl: 10 }],
    })
  })

  test('of another name, or another type, gets none', () => {
    expect(reply('PTR')).toBeUndefined()
    expect(reply('A', { name: 'institute-2.local' })).toBeUndefined()
  })
})

describe('a name is another’s', () => {
  const own = [NETWORK.address, ...NETWORK.ipv6]
  test.each<[what: string, answer: Answer, others: string[]]>([
    ['where an address of another is given for it', { ...A, data: '192.168.1.30' }, ['192.168.1.30']],
    ['in whatever case', { ...A, name: 'INSTITUTE.local', data: '192.168.1.30' }, ['192.168.1.30']],
    ['and not for an address of this machine', A, []],
    ['and not where it is given up', { ...A, ttl: 0, data: '192.168.1.30' }, []],
    ['and not for another name', { ...A, name: 'printer.local', data: '192.168.1.30' }, []],
  ])('%s', (_, answer, others) => {
    expect(othersOf([answer], NAME, own)).toEqual(others)
  })

  test('of two that ask at once, the later address wins', () => {
    expect(yieldsTo('192.168.1.20', '192.168.1.30')).toBe(true)
    expect(yieldsTo('192.168.1.30', '192.168.1.20')).toBe(false)
    expect(yieldsTo('192.168.1.9', '192.168.1.20')).toBe(true)
    expect(yieldsTo('192.168.1.20', '192.168.1.20')).toBe(false)
    expect(yieldsTo('192.168.1.20', 'fd00::1')).toBe(false)
  })
})

test('only who is in a network is answered there', () => {
  expect(isOnLink('192.168.1.77', NETWORK)).toBe(true)
  expect(isOnLink('192.168.2.77', NETWORK)).toBe(false)
  expect(isOnLink('fd00::20', NETWORK)).toBe(false)
})

test('each network is told the addresses there, and zero seconds give them up', () => {
  expect(recordsOf(NAME, NETWORK, 0)).toEqual([
    { ...A, ttl: 0 },
    { ...AAAA, ttl: 0 },
  ])
})
