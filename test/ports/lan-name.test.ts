import type { Answer } from 'dns-packet'
import multicastDns from 'multicast-dns'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { openLanName } from '#ports/lan-name/multicast.ts'
import type { LanName, Network } from '#ports/lan-name/port.ts'
import { freeUdpPort } from '#kit/free-port.ts'

/**
 * The name of a server in its network, over real multicast: several addresses of the loopback card stand for the machines of an
 * office.
 */

const log = pino({ level: 'silent' })
const opened: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

const at = (address: string): Network => ({ address, cidr: `${address}/8`, ipv6: [] })
const machine = (port: number, networks: () => Network[]): LanName => {
  const name = openLanName({ wanted: 'institute', networks, log, port })
  opened.push(name)
  return name
}
const expectName = async (one: LanName, name: string): Promise<void> => {
  await expect.poll(() => one.current()).toBe(name)
}

/** Somebody of the network, who hears what is said. */
const neighbour = (port: number) => {
  const socket = multicastDns({ interface: '127.0.0.9', bind: '0.0.0.0', port })
  const heard: Answer[] = []
  socket.on('response', ({ answers = [] }) => heard.push(...answers))
  opened.push({ close: () => new Promise<void>((resolve) => socket.destroy(resolve)) })
  const ask = async (name: string): Promise<unknown[]> => {
    heard.length = 0
    socket.query({ questions: [{ name, type: 'A' }] })
    await expect.poll(() => heard.filter((one) => one.name === name).length).toBeGreaterThan(0)
    return heard.flatMap((one) => (one.name === name && one.type === 'A' ? [one.data] : []))
  }
  return { ask, socket, heard }
}

test('a neighbour finds the server by its name, and is told when it leaves', async () => {
  const port = await freeUdpPort()
  const server = machine(port, () => [at('127.0.0.2')])
  await expectName(server, 'institute.local')
  const { ask, heard } = neighbour(port)
  expect(await ask('institute.local')).toContain('127.0.0.2')
  heard.length = 0
  await server.close()
  expect(server.current()).toBeUndefined()
  await expect.poll(() => heard).toContainEqual(expect.objectContaining({ name: 'institute.local', type: 'A', ttl: 0 }))
})

test('the second server of a name takes the next one, and of two that start at once each gets one', async () => {
  const port = await freeUdpPort()
  const first = machine(port, () => [at('127.0.0.2')])
  await expectName(first, 'institute.local')
  const [second, third] = [machine(port, () => [at('127.0.0.3')]), machine(port, () => [at('127.0.0.4')])]
  await expect
    .poll(() => [second.current(), third.current()].toSorted())
    .toEqual(['institute-2.local', 'institute-3.local'])
  expect(first.current()).toBe('institute.local')
  const { ask } = neighbour(port)
  expect(await ask('institute.local')).toEqual(['127.0.0.2'])
})

test('a name that another machine takes is given up for the next one', async () => {
  const port = await freeUdpPort()
  const server = machine(port, () => [at('127.0.0.2')])
  await expectName(server, 'institute.local')
  const { socket } = neighbour(port)
  const taken: Answer = { name: 'institute.local', type: 'A', ttl: 120, flush: true, data: '127.0.0.9' }
  // It goes on to say so whenever it is asked.
  socket.on('query', ({ questions = [] }) => {
    if (questions.some(({ name }) => name === 'institute.local')) socket.respond({ answers: [taken] })
  })
  socket.respond({ answers: [taken] })
  await expect.poll(() => server.current()).toBe('institute-2.local')
})

test('without a network it has no name, and closes', async () => {
  const server = machine(await freeUdpPort(), () => [])
  expect(server.current()).toBeUndefined()
  await server.close()
})
