import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import dns, { type DecodedPacket } from 'dns-packet'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { openNameServer } from '#ports/lan-zone/name-server.ts'
import type { LanZone, ZoneHost } from '#ports/lan-zone/port.ts'

const ZONE = { name: 'lan.vendor.example', nameServers: ['ns1.vendor.example'] }
const LABEL = 'bcdfghjkmn'
const NAME = `${LABEL}.${ZONE.name}`
const CROWD = Array.from({ length: 24 }, (_, nth) => `10.0.0.${nth}`)

let now = 0
const open = async (host: ZoneHost, port = 0): Promise<LanZone> => {
  const server = openNameServer({
    zone: ZONE,
    listen: { host: '127.0.0.1', port },
    find: async (label) => (label === LABEL ? host : undefined),
    now: () => now,
    log: pino({ level: 'silent' }),
  })
  onTestFinished(() => server.close())
  await server.open()
  return server
}
const portOf = ({ port }: LanZone) => port as number
const resolverAt = (server: LanZone): Resolver => {
  const resolver = new Resolver({ timeout: 2000, tries: 1 })
  resolver.setServers([`127.0.0.1:${portOf(server)}`])
  return resolver
}

const question = (id: number) => dns.encode({ type: 'query', id, questions: [{ name: NAME, type: 'A' }] })
const behindLength = (message: Buffer): Buffer => {
  const head = Buffer.alloc(2)
  head.writeUInt16BE(message.length, 0)
  return Buffer.concat([head, message])
}
const connected = async (server: LanZone): Promise<Socket> => {
  const socket = connect(portOf(server), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

test('a resolver finds what is there, by TCP where there is more than a datagram holds', async () => {
  const resolver = resolverAt(await open({ addresses: CROWD, challenge: 'the-digest' }))
  expect((await resolver.resolve4(NAME)).toSorted()).toEqual(CROWD.toSorted())
  expect(await resolver.resolveTxt(`_acme-challenge.${NAME}`)).toEqual([['the-digest']])
  await expect(resolver.resolve6(NAME)).rejects.toThrow('ENODATA')
  await expect(resolver.resolve4(`zzzzzzzzzz.${ZONE.name}`)).rejects.toThrow('ENOTFOUND')
  await expect(resolver.resolve4('example.org')).rejects.toThrow('EREFUSED')
})

test('several questions come over one connection, in whatever pieces', async () => {
  const socket = await connected(await open({ addresses: ['10.0.0.7'], challenge: null }))
  const bytes = Buffer.concat([1, 2, 3].map((id) => behindLength(question(id))))
  socket.write(bytes.subarray(0, 1))
  socket.write(bytes.subarray(1, 50))
  socket.write(bytes.subarray(50))
  let received = Buffer.alloc(0)
  const ids: (number | undefined)[] = []
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    received = Buffer.concat([received, chunk])
    while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
      const end = 2 + received.readUInt16BE(0)
      ids.push(dns.decode(received.subarray(2, end)).id)
      received = received.subarray(end)
    }
    if (ids.length === 3) break
  }
  expect(ids).toEqual([1, 2, 3])
})

test('a connection that sends no question is closed, and others go on', async () => {
  const server = await open({ addresses: ['10.0.0.7'], challenge: null })
  for (const bytes of [
    Buffer.from([0xff, 0xff, 1, 2]),
    behindLength(Buffer.alloc(5)),
    Buffer.from('GET / HTTP/1.1\r\n'),
  ]) {
    const socket = await connected(server)
    socket.on('error', () => {})
    socket.write(bytes)
    await once(socket, 'close')
  }
  expect(await resolverAt(server).resolve4(NAME)).toEqual(['10.0.0.7'])
})

test('a network has so many connections and no more', async () => {
  const server = await open({ addresses: ['10.0.0.7'], challenge: null })
  for (let nth = 0; nth < 16; nth += 1) await connected(server)
  const socket = connect(portOf(server), '127.0.0.1')
  socket.on('error', () => {})
  expect(await once(socket, 'close')).toBeDefined()
})

test('a network that asks too often is asked to come by TCP, and then gets nothing until the next second', async () => {
  const server = await open({ addresses: ['10.0.0.7'], challenge: null })
  const socket = createSocket('udp4')
  onTestFinished(() => void socket.close())
  const replies: DecodedPacket[] = []
  const ask = async (id: number): Promise<void> => {
    const before = replies.length
    socket.send(question(id), portOf(server), '127.0.0.1')
    await expect.poll(() => replies.length, { interval: 1 }).toBe(before + 1)
  }
  socket.on('message', (bytes) => void replies.push(dns.decode(bytes)))
  for (let id = 1; id <= 200; id += 1) await ask(id)
  expect(replies.filter(({ flag_tc: isShort }) => !isShort)).toHaveLength(100)
  socket.send(question(201), portOf(server), '127.0.0.1')
  // Who comes by TCP is answered meanwhile: that it is there shows that the one before it was left.
  const stream = await connected(server)
  stream.write(behindLength(question(7)))
  await once(stream, 'data')
  expect(replies).toHaveLength(200)
  now += 1000
  await ask(202)
  expect(replies.at(-1)).toMatchObject({ id: 202, flag_tc: false })
})

test('bytes that are no question end nothing', async () => {
  const server = await open({ addresses: ['10.0.0.7'], challenge: null })
  const socket = createSocket('udp4')
  onTestFinished(() => void socket.close())
  for (const bytes of [Buffer.alloc(0), Buffer.alloc(3), Buffer.alloc(12), Buffer.alloc(1400, 0xff)]) {
    socket.send(bytes, portOf(server), '127.0.0.1')
  }
  now += 1000
  expect(await resolverAt(server).resolve4(NAME)).toEqual(['10.0.0.7'])
})

test('a port that is taken keeps nobody from starting, and no port is left open', async () => {
  const first = await open({ addresses: ['10.0.0.7'], challenge: null })
  const second = await open({ addresses: [], challenge: null }, portOf(first))
  expect(second.port).toBeUndefined()
  const port = portOf(first)
  await second.close()
  await first.close()
  const third = await open({ addresses: ['10.0.0.8'], challenge: null }, port)
  expect(await resolverAt(third).resolve4(NAME)).toEqual(['10.0.0.8'])
})
