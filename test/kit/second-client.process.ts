/**
 * The process behind SecondClient: sends each request on its own connection, again a few milliseconds after each reply.
 */
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { answering } from './child-script.ts'

const [, , url = '', token = '', ...requests] = process.argv

const PAUSE_MILLIS = 5

let waited: number[] = []
let refused: string[] = []
/** When each request that is still running was sent. */
const underWay = new Map<string, number>()

let asked = 0

/** @param line a path that is read, or `PATCH` and the path of a record whose notes are changed */
const ask = (line: string, agent: Agent): Promise<void> =>
  new Promise((resolve) => {
    const [path = '', method = 'GET'] = line.split(' ').toReversed()
    asked += 1
    const body = method === 'PATCH' ? JSON.stringify({ notes: `Call ${asked}` }) : undefined
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const sent = performance.now()
    underWay.set(line, sent)
    const done = (refusal?: string): void => {
      underWay.delete(line)
      waited.push(performance.now() - sent)
      if (refusal !== undefined) refused.push(refusal)
      resolve()
    }
    request(url + path, { agent, method, headers }, (response) => {
      response
        .resume()
        .once('end', () => done(response.statusCode === 200 ? undefined : `${response.statusCode} ${line}`))
    })
      .once('error', (error) => done(`${error.message} ${line}`))
      .end(body)
  })

const askOn = async (line: string): Promise<void> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (;;) {
    await ask(line, agent)
    await pause(PAUSE_MILLIS)
  }
}
for (const line of requests) void askOn(line)

/** Waits for the requests that were running when the report was asked for: they belong to the measured time. */
const report = async () => {
  const started = [...underWay]
  while (started.some(([line, sent]) => underWay.get(line) === sent)) await pause(1)
  const sorted = waited.toSorted((a, b) => a - b)
  const within = (part: number): number => sorted[Math.ceil(sorted.length * part) - 1] ?? 0
  const told = {
    worst: within(1),
    p99: within(0.99),
    p95: within(0.95),
    p50: within(0.5),
    asked: sorted.length,
    refused,
  }
  waited = []
  refused = []
  return told
}
answering(report)
