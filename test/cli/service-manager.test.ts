import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import path from 'node:path'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ServiceManager } from '#app/process/service-manager.ts'
import { makeFolder } from './folder.ts'
import { startProgram } from './institute.ts'

const has = (tool: string): boolean => spawnSync(tool, ['--version'], { stdio: 'ignore' }).status === 0
const isThere = has('systemd-notify') && has('python3')
const WHY = 'needs systemd-notify, and python3 to make a datagram socket'

const SOCKET = `
import socket, sys
taker = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
taker.bind(sys.argv[1])
print('bound', flush=True)
while True:
    print(taker.recv(4096).decode().replace(chr(10), ' '), flush=True)
`

/** The socket of a service manager, as a service sees it. */
const openSocket = async () => {
  const file = path.join(makeFolder(), 'notify')
  const taker: ChildProcess = spawn('python3', ['-c', SOCKET, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void taker.kill('SIGKILL'))
  let text = ''
  taker.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  // What asks the receiver to have taken everything before is no message to it.
  const messages = (): string[] =>
    text.split('\n').filter((line) => line !== '' && line !== 'bound' && line !== 'BARRIER=1')
  await expect.poll(() => text, { timeout: 10_000 }).toContain('bound')
  return { file, messages }
}

test('systemd hears when the program serves, that it is alive, and when it stops', async ({ skip }) => {
  skip(!isThere, WHY)
  const { file, messages } = await openSocket()
  const server = await startProgram(makeFolder(), {
    PATH: process.env.PATH ?? '',
    NOTIFY_SOCKET: file,
    WATCHDOG_USEC: '400000',
  })
  await expect.poll(messages, { timeout: 10_000 }).toContain('WATCHDOG=1')
  expect(messages()[0]).toBe(`READY=1 STATUS=Listening on port ${new URL(server.url ?? '').port}`)
  expect(await server.stop()).toBe(0)
  await expect.poll(() => messages().at(-1)).toBe('STOPPING=1')
  expect(server.stderr).not.toContain('systemd could not be told')
})

describe('signs of life', () => {
  const log = pino({ level: 'silent' })
  const manager = (file: string, look: () => Promise<unknown>, more: Record<string, string> = {}) => {
    const made = new ServiceManager(log, look, { NOTIFY_SOCKET: file, WATCHDOG_USEC: '200000', ...more })
    onTestFinished(() => made.stopping())
    return made
  }
  /** `systemd-notify` reads this process's environment. */
  const withSocket = async (look: () => Promise<unknown>, more?: Record<string, string>) => {
    const { file, messages } = await openSocket()
    const former = process.env.NOTIFY_SOCKET
    process.env.NOTIFY_SOCKET = file
    onTestFinished(() => {
      if (former === undefined) delete process.env.NOTIFY_SOCKET
      else process.env.NOTIFY_SOCKET = former
    })
    await manager(file, look, more).ready('here')
    return () => messages().filter((message) => message === 'WATCHDOG=1').length
  }

  test('go on while the database refuses, and stop while it does neither answer nor refuse', async ({ skip }) => {
    skip(!isThere, WHY)
    let looked = 0
    const signs = await withSocket(() => {
      looked += 1
      if (looked === 1) return Promise.resolve()
      return looked === 2 ? Promise.reject(new Error('the disk is full')) : new Promise(() => {})
    })
    await expect.poll(() => looked, { timeout: 10_000 }).toBe(3)
    await expect.poll(signs, { timeout: 10_000 }).toBe(2)
    // Five more would have come meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 250))
    expect({ looked, signs: signs() }).toEqual({ looked: 3, signs: 2 })
  })

  test('are not sent in the name of another process', async ({ skip }) => {
    skip(!isThere, WHY)
    let looked = 0
    const look = async () => void (looked += 1)
    const signs = await withSocket(look, { WATCHDOG_PID: '1' })
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect({ looked, signs: signs() }).toEqual({ looked: 0, signs: 0 })
  })
})
