import type { Answer } from 'dns-packet'
import multicastDns from 'multicast-dns'
import { pino } from 'pino'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { openLanName } from '#ports/lan-name/multicast.ts'
import type { LanName, Network } from '#ports/lan-name/port.ts'
import { freeUdpPort } from '#kit/free-port.ts'

/**
 * The name of a server in its network, over real multicast: several addresses of the loopback card stand for the machines of an
 * office.
 */

const log = pino({ level: 'silent' })
const opened: { close(): unknown }[] = []
// Each test has a port, and so a network, of its own.
afterAll(async () => {
  await Promise.all(opened.map((one) => one.close()))
})

const IN_TIME = { timeout: 15_000, interval: 20 }
const at = (address: string): Network => ({ address, cidr: `${address}/8`, ipv6: [] })
const machine = (port: number, networks: () => Network[], wanted: string | undefined = 'institute'): LanName => {
  const name = openLanName({ wanted, networks, log, port })
  opened.push(name)
  return name
}
const expectName = async (one: LanName, name: string): Promise<void> => {
  await vi.waitUntil(() => one.current() === name, IN_TIME)
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
    await vi.waitUntil(() => heard.some((one) => one.name === name), IN_TIME)
    return heard.flatMap((one) => (one.name === name && one.type === 'A' ? [one.data] : []))
  }
  /** Goes on to say that the name is this neighbour's, whenever it is asked. */
  const have = (name: string): void => {
    const answers: Answer[] = [{ name, type: 'A', ttl: 120, flush: true, data: '127.0.0.9' }]
    socket.on('query', ({ questions = [] }) => {
      if (questions.some((one) => one.name === name)) socket.respond({ answers })
    })
  }
  return { ask, socket, heard, have }
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

describe.concurrent('another name that is chosen while it runs', () => {
  test('leads there from then on, and the one before too until it is given up', async () => {
    const port = await freeUdpPort()
    const server = machine(port, () => [at('127.0.0.2')])
    await expectName(server, 'institute.local')
    const { ask, heard } = neighbour(port)
    expect(await server.choose('school-nablus')).toEqual({ result: 'named' })
    expect(server.current()).toBe('school-nablus.local')
    expect(await ask('school-nablus.local')).toEqual(['127.0.0.2'])
    expect(await ask('institute.local')).toEqual(['127.0.0.2'])
    // It stands here already: nothing changes.
    expect(await server.choose('school-nablus')).toEqual({ result: 'named' })

    heard.length = 0
    server.answerToo([])
    await vi.waitUntil(
      () => heard.some((one) => one.name === 'institute.local' && 'ttl' in one && one.ttl === 0),
      IN_TIME,
    )
    expect(heard).not.toContainEqual(expect.objectContaining({ name: 'school-nablus.local', ttl: 0 }))
  })

  test('and back again is no name of somebody else', async () => {
    const port = await freeUdpPort()
    const server = machine(port, () => [at('127.0.0.2')])
    await expectName(server, 'institute.local')
    await server.choose('school')
    expect(await server.choose('institute')).toEqual({ result: 'named' })
    const { ask } = neighbour(port)
    expect(server.current()).toBe('institute.local')
    expect(await ask('school.local')).toEqual(['127.0.0.2'])
  })

  test('that somebody has is not taken, and one like it is proposed', async () => {
    const port = await freeUdpPort()
    const { have, ask } = neighbour(port)
    have('school.local')
    have('school-2.local')
    const server = machine(port, () => [at('127.0.0.2')])
    await expectName(server, 'institute.local')
    expect(await server.choose('school')).toEqual({ result: 'taken', free: 'school-3' })
    expect(await server.choose('school-2')).toEqual({ result: 'taken', free: 'school-3' })
    expect(server.current()).toBe('institute.local')
    expect(await ask('institute.local')).toEqual(['127.0.0.2'])
  })

  test('that somebody takes while it is announced is given up again', async () => {
    const port = await freeUdpPort()
    const { socket, have, heard } = neighbour(port)
    const server = machine(port, () => [at('127.0.0.2')])
    await expectName(server, 'institute.local')
    let isTaken = false
    socket.on('response', ({ answers = [] }) => {
      // Somebody who does not ask first.
      if (!isTaken && answers.some(({ name }) => name === 'school.local')) {
        isTaken = true
        have('school.local')
        socket.respond({ answers: [{ name: 'school.local', type: 'A', ttl: 120, flush: true, data: '127.0.0.9' }] })
      }
    })
    expect(await server.choose('school')).toEqual({ result: 'taken', free: 'school-2' })
    expect(server.current()).toBe('institute.local')
    expect(heard).toContainEqual(expect.objectContaining({ name: 'school.local', data: '127.0.0.2', ttl: 0 }))
  })

  test('is one server’s, of two that choose it at the same moment', async () => {
    const port = await freeUdpPort()
    const [first, second] = [
      machine(port, () => [at('127.0.0.2')], 'one'),
      machine(port, () => [at('127.0.0.3')], 'two'),
    ]
    await expectName(first, 'one.local')
    await expectName(second, 'two.local')
    const both = await Promise.all([first.choose('school'), second.choose('school')])
    expect(both).toContainEqual({ result: 'named' })
    expect(both).toContainEqual({ result: 'taken', free: 'school-2' })
    expect([first.current(), second.current()].filter((name) => name === 'school.local')).toHaveLength(1)
  })

  test('is announced with the address that the machine gets meanwhile', async () => {
    const port = await freeUdpPort()
    let address = '127.0.0.2'
    const server = machine(port, () => [at(address)])
    await expectName(server, 'institute.local')
    const { ask, socket } = neighbour(port)
    socket.on('query', ({ questions = [] }) => {
      if (questions.some(({ name }) => name === 'school.local')) address = '127.0.0.5'
    })
    expect(await server.choose('school')).toEqual({ result: 'named' })
    expect(await ask('school.local')).toEqual(['127.0.0.5'])
  })

  test('is not taken where the network is gone; the one before is there when it comes back', async () => {
    const port = await freeUdpPort()
    let there: Network[] = [at('127.0.0.2')]
    const server = machine(port, () => there)
    await expectName(server, 'institute.local')
    there = []
    expect(await server.choose('school')).toEqual({ result: 'no_network' })
    there = [at('127.0.0.2')]
    expect(await server.choose('institute')).toEqual({ result: 'named' })
    expect(server.current()).toBe('institute.local')
  })

  test('that no network hears is not taken', async () => {
    // No card of this machine has the address.
    const server = machine(await freeUdpPort(), () => [at('203.0.113.9')])
    await expectName(server, 'institute.local')
    expect(await server.choose('school')).toEqual({ result: 'not_announced' })
    expect(server.current()).toBe('institute.local')
  })

  test('is the first one of a server that had none', async () => {
    const port = await freeUdpPort()
    const server = openLanName({ wanted: undefined, networks: () => [at('127.0.0.2')], log, port })
    opened.push(server)
    expect(server.current()).toBeUndefined()
    expect(await server.choose('school')).toEqual({ result: 'named' })
    expect(await neighbour(port).ask('school.local')).toEqual(['127.0.0.2'])
  })

  test('is not taken by a server that stops meanwhile, and tells nobody', async () => {
    const port = await freeUdpPort()
    const { heard } = neighbour(port)
    const server = machine(port, () => [at('127.0.0.2')])
    await expectName(server, 'institute.local')
    const chosen = server.choose('school')
    await server.close()
    expect(await chosen).toEqual({ result: 'not_announced' })
    expect(await server.choose('school')).toEqual({ result: 'not_announced' })
    expect(heard.some((one) => one.name === 'school.local' && 'ttl' in one && one.ttl !== 0)).toBe(false)
  })

  test('names of before are answered after a restart too, but for one that somebody has now', async () => {
    const port = await freeUdpPort()
    const { ask, have } = neighbour(port)
    have('office.local')
    const server = machine(port, () => [at('127.0.0.2')], 'school')
    server.answerToo(['institute', 'office'])
    await expectName(server, 'school.local')
    expect(await ask('institute.local')).toEqual(['127.0.0.2'])
    expect(await ask('office.local')).toEqual(['127.0.0.9'])
  })
})
