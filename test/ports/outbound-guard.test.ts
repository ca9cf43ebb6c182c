import { afterEach, describe, expect, test, vi } from 'vitest'
import { guardedOutbound, type GuardedOutboundOptions } from '#ports/outbound/guarded.ts'
import { ADDRESS_REFUSED, checkUrl, type Outbound } from '#ports/outbound/port.ts'
import { resolveAsSystem, resolveByNameServers, type ResolvedAddress } from '#ports/outbound/resolve.ts'
import { afterRequest, answering, nameServer, OK, rawReceiver, requestTo } from './outbound-kit.ts'

const INSTALL = { requireHttps: false, blockPrivate: false }
const GUARDED = { requireHttps: false, blockPrivate: true }
const LOOPBACK = [127, 0, 0, 1]
const METADATA = [169, 254, 169, 254]
const PUBLIC = [93, 184, 216, 34]

const opened: Outbound[] = []
const open = (options: GuardedOutboundOptions) => {
  const outbound = guardedOutbound(options)
  opened.push(outbound)
  return outbound
}
afterEach(async () => {
  await Promise.all(opened.splice(0).map((outbound) => outbound.close()))
})

const REFUSED = { ok: false, status: null, error: ADDRESS_REFUSED }

const answers = (...addresses: string[]): ResolvedAddress[] =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

describe('the address that was judged is the one connected to', () => {
  test('a name that no other resolver knows reaches the address that ours gave', async () => {
    await using receiver = await rawReceiver(answering(OK))
    const outbound = open({ policy: INSTALL, resolve: async () => answers('127.0.0.1') })
    const result = await outbound.post(requestTo(`http://receiver.invalid:${receiver.port}/`))
    expect(result).toMatchObject({ ok: true })
    expect(receiver.received[0]).toContain(`host: receiver.invalid:${receiver.port}`)
  })

  test('a name is asked once for a connection: its second answer never counts', async () => {
    let asked = 0
    await using receiver = await rawReceiver(afterRequest((s) => s.end(OK)))
    await using dns = await nameServer((type) => (type === 'A' ? [asked++ === 0 ? LOOPBACK : METADATA] : []))
    const outbound = open({ policy: INSTALL, resolve: resolveByNameServers([dns.server]) })
    const url = `http://rebinding.test:${receiver.port}/`
    expect(await outbound.post(requestTo(url))).toMatchObject({ ok: true })
    expect(dns.questions.toSorted()).toEqual(['A rebinding.test', 'AAAA rebinding.test'])
    await expect.poll(() => receiver.open()).toBe(0)
    expect(await outbound.post(requestTo(url))).toMatchObject(REFUSED)
  })

  test('a kept connection stays with its address while the name moves', async () => {
    let asked = 0
    await using receiver = await rawReceiver(answering(OK))
    const resolve = vi.fn(async () => answers(asked++ === 0 ? '127.0.0.1' : '169.254.169.254'))
    const outbound = open({ policy: INSTALL, resolve, socketsPerHost: 1 })
    const url = `http://rebinding.test:${receiver.port}/`
    for (let n = 0; n < 5; n++) expect(await outbound.post(requestTo(url))).toMatchObject({ ok: true })
    expect(receiver.connections()).toBe(1)
    expect(resolve).toHaveBeenCalledTimes(1)
  })

  test('a name that was public at creation is refused when it is private at the time of sending', async () => {
    let address = PUBLIC
    await using receiver = await rawReceiver(answering(OK))
    await using dns = await nameServer((type) => (type === 'A' ? [address] : []))
    const url = `http://rebinding.test:${receiver.port}/`
    expect(checkUrl(url, GUARDED)).toBeUndefined()
    address = LOOPBACK
    const outbound = open({ policy: GUARDED, resolve: resolveByNameServers([dns.server]) })
    expect(await outbound.post(requestTo(url))).toMatchObject(REFUSED)
    expect(receiver.connections()).toBe(0)
  })
})

describe('a name is refused when any of its addresses is', () => {
  test.each([
    ['10.0.0.1'],
    ['93.184.216.34', '127.0.0.1'],
    ['93.184.216.34', '::1'],
    ['2606:2800:220:1::1', '10.0.0.1'],
    ['::ffff:93.184.216.34'],
    ['64:ff9b::7f00:1'],
    ['fe80::1%eth0'],
    ['not an address'],
  ])('where private ones are blocked: %s %s', async (...addresses) => {
    const outbound = open({ policy: GUARDED, resolve: async () => answers(...addresses) })
    expect(await outbound.post(requestTo('http://receiver.test/'))).toMatchObject(REFUSED)
  })

  test.each([
    ['169.254.169.254'],
    ['127.0.0.1', '169.254.1.1'],
    ['fd00:ec2::254'],
    ['::ffff:169.254.169.254'],
    ['fe80::1%eth0'],
  ])('also on an install: %s %s', async (...addresses) => {
    const outbound = open({ policy: INSTALL, resolve: async () => answers(...addresses) })
    expect(await outbound.post(requestTo('http://receiver.test/'))).toMatchObject(REFUSED)
  })

  test('A and AAAA alike', async () => {
    await using dns = await nameServer((type) => [type === 'A' ? PUBLIC : [...Array<number>(15).fill(0), 1]])
    const outbound = open({ policy: GUARDED, resolve: resolveByNameServers([dns.server]) })
    expect(await outbound.post(requestTo('http://mixed.test/'))).toMatchObject(REFUSED)
  })

  test('when it is the server itself', async () => {
    const policy = { ...GUARDED, ownAddresses: () => ['2606:2800:220:1:0::1'] }
    const outbound = open({ policy, resolve: async () => answers('2606:2800:220:1::1') })
    expect(await outbound.post(requestTo('http://receiver.test/'))).toMatchObject(REFUSED)
  })
})

describe('a literal address is judged when sending too', () => {
  test.each(['127.0.0.1', '0x7f.1', '2130706433', '[::1]', '[::ffff:127.0.0.1]', 'localhost', 'hooks.localhost.'])(
    '%s',
    async (host) => {
      await using receiver = await rawReceiver(answering(OK))
      const outbound = open({ policy: GUARDED })
      expect(await outbound.post(requestTo(`http://${host}:${receiver.port}/`))).toMatchObject(REFUSED)
      expect(receiver.connections()).toBe(0)
    },
  )

  test('and a scheme that the mode does not allow', async () => {
    const outbound = open({ policy: { requireHttps: true, blockPrivate: true } })
    expect(await outbound.post(requestTo('http://a.example/'))).toMatchObject({
      status: null,
      error: 'the URL must begin with https://',
    })
  })
})

describe('the refusal does not reveal whether a port is open', () => {
  test('the words are the same, and nothing is sent', async () => {
    const behindOpen = await rawReceiver(answering(OK))
    const behindClosed = await rawReceiver(() => {})
    await behindClosed[Symbol.asyncDispose]()
    const outbound = open({ policy: GUARDED, resolve: async () => answers('127.0.0.1') })
    const errors: unknown[] = []
    for (const { port } of [behindOpen, behindClosed]) {
      for (const host of ['127.0.0.1', 'receiver.test']) {
        const { durationMs: _, ...result } = await outbound.post(requestTo(`http://${host}:${port}/`))
        errors.push(result)
      }
    }
    expect(new Set(errors.map((error) => JSON.stringify(error)))).toEqual(new Set([JSON.stringify(REFUSED)]))
    expect(behindOpen.connections()).toBe(0)
    await behindOpen[Symbol.asyncDispose]()
  })
})

describe('names', () => {
  const UNRESOLVED = { status: null, error: 'the host name could not be resolved' }

  test('that do not exist fail with a plain reason', async () => {
    await using dns = await nameServer(() => [])
    for (const resolve of [resolveByNameServers([dns.server]), resolveAsSystem]) {
      const outbound = open({ policy: INSTALL, resolve })
      expect(await outbound.post(requestTo('http://nobody.invalid/', { deadlineMs: 4000 }))).toMatchObject(UNRESOLVED)
    }
  })

  test('are asked of the system on an install: its hosts file counts', async () => {
    await using receiver = await rawReceiver(answering(OK))
    const outbound = open({ policy: INSTALL })
    expect(await outbound.post(requestTo(`http://localhost:${receiver.port}/`))).toMatchObject({ ok: true })
  })

  test('are asked of a name server, with the addresses of both kinds', async () => {
    await using dns = await nameServer((type) =>
      type === 'A' ? [PUBLIC, LOOPBACK] : [[...PUBLIC, ...Array<number>(12).fill(1)]],
    )
    expect(await resolveByNameServers([dns.server])('receiver.test')).toEqual(
      answers('93.184.216.34', '127.0.0.1', '5db8:d822:101:101:101:101:101:101'),
    )
  })

  test('are asked once by all who wait for the same one', async () => {
    let reply: (addresses: ResolvedAddress[]) => void = () => {}
    const resolve = vi.fn(() => new Promise<ResolvedAddress[]>((resolved) => (reply = resolved)))
    await using receiver = await rawReceiver(answering(OK))
    const outbound = open({ policy: INSTALL, resolve })
    const posts = Array.from({ length: 10 }, () => outbound.post(requestTo(`http://receiver.test:${receiver.port}/`)))
    await expect.poll(() => resolve.mock.calls.length).toBe(1)
    reply(answers('127.0.0.1'))
    expect((await Promise.all(posts)).every(({ ok }) => ok)).toBe(true)
    expect(resolve).toHaveBeenCalledTimes(1)
  })
})
