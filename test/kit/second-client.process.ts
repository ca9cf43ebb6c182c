/**
 * The process behind SecondClient: requests each path on its own connection, again a few milliseconds after each reply.
 */
import { Agent, get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { answering } from './child-script.ts'

const [, , url = '', token = '', ...paths] = process.argv

const PAUSE_MILLIS = 5

let waited: number[] = []
let refused: string[] = []
/** When each request that is still running was sent. */
const underWay = new Map<string, number>()

const ask = (path: string, agent: Agent): Promise<void> =>
  new Promise((resolve) => {
    const sent = performance.now()
    underWay.set(path, sent)
    const done = (refusal?: string): void => {
      underWay.delete(path)
      waited.push(performance.now() - sent)
      if (refusal !== undefined) refused.push(refusal)
      resolve()
    }
    get(url + path, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      response
        .resume()
        .once('end', () => done(response.statusCode === 200 ? undefined : `${response.statusCode} ${path}`))
    }).once('error', (error) => done(`${error.message} ${path}`))
  })

const askOn = async (path: string): Promise<void> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (;;) {
    await ask(path, agent)
    await pause(PAUSE_MILLIS)
  }
}
for (const path of paths) void askOn(path)

/** Waits for the requests that were running when the report was asked for: they belong to the measured time. */
const report = async () => {
  const started = [...underWay]
  while (started.some(([path, sent]) => underWay.get(path) === sent)) await pause(1)
  const sorted = waited.toSorted((a, b) => a - b)
  const told = {
    worst: sorted.at(-1) ?? 0,
    p99: sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0,
    asked: sorted.length,
    refused,
  }
  waited = []
  refused = []
  return told
}
answering(report)
