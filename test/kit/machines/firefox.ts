import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { endProcess } from '../process.ts'
import type { DrivenBrowser } from './driven.ts'

const PROGRAM = '/usr/bin/firefox-esr'

/** Why there is none; undefined: there is. */
export const whyNoFirefox = (): string | undefined => (existsSync(PROGRAM) ? undefined : 'firefox-esr is not installed')

const LISTENING = /WebDriver BiDi listening on (ws:\S+)/

interface Answer {
  id?: number
  result?: Record<string, unknown>
  message?: string
}

interface Evaluated {
  type: 'success' | 'exception'
  result?: { value?: string }
  exceptionDetails?: { text: string }
}

/** Starts Debian's Firefox with an empty profile, and speaks WebDriver BiDi to it. The caller closes it. */
export const launchFirefox = async (): Promise<DrivenBrowser> => {
  const profile = await mkdtemp(path.join(tmpdir(), 'firefox-'))
  const args = ['--headless', '--remote-debugging-port=0', '--no-remote', '--profile', profile]
  const child = spawn(PROGRAM, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, HOME: profile } })
  let address: string | undefined
  for await (const line of createInterface({ input: child.stderr })) {
    address = LISTENING.exec(line)?.[1]
    if (address !== undefined) break
  }
  if (address === undefined) throw new Error('Firefox did not start')
  child.stderr.resume()

  const socket = new WebSocket(`${address}/session`)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error('Firefox takes no connection')))
  })
  const waiting = new Map<number, (answer: Answer) => void>()
  socket.addEventListener('message', ({ data }: { data?: unknown }) => {
    const answer = JSON.parse(String(data)) as Answer
    waiting.get(answer.id ?? -1)?.(answer)
    waiting.delete(answer.id ?? -1)
  })
  let lastId = 0
  const ask = async (method: string, params: object): Promise<Record<string, unknown>> => {
    const id = (lastId += 1)
    const answered = new Promise<Answer>((resolve) => {
      waiting.set(id, resolve)
    })
    socket.send(JSON.stringify({ id, method, params }))
    const { result, message } = await answered
    if (!result) throw new Error(`${method}: ${message}`)
    return result
  }

  await ask('session.new', { capabilities: {} })
  const { contexts } = (await ask('browsingContext.getTree', {})) as { contexts?: { context: string }[] }
  const context = contexts?.[0]?.context

  return {
    open: async (url) => void (await ask('browsingContext.navigate', { context, url, wait: 'none' })),
    evaluate: async <T>(expression: string) => {
      const told = { expression: `JSON.stringify(${expression})`, target: { context }, awaitPromise: false }
      const { type, result, exceptionDetails } = (await ask('script.evaluate', told)) as unknown as Evaluated
      if (type === 'exception') throw new Error(exceptionDetails?.text)
      return (result?.value === undefined ? undefined : JSON.parse(result.value)) as T
    },
    picture: async () =>
      Buffer.from((await ask('browsingContext.captureScreenshot', { context }))['data'] as string, 'base64'),
    close: async () => {
      socket.close()
      await endProcess(child, 'SIGKILL')
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
