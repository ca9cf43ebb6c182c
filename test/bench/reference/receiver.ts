/**
 * A webhook receiver that can hold its replies back, so that deliveries accumulate, and then measures how fast the rest
 * come.
 */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answering } from '#kit/child-script.ts'

let held: ServerResponse[] | undefined
let answered = 0
let heard = () => {}

const answer = (response: ServerResponse): void => {
  response.writeHead(200, { 'Content-Length': 2 }).end('ok')
  answered += 1
  heard()
}

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    if (held) held.push(response)
    else answer(response)
  })
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')

/** Answers the waiting requests. @returns how many a second it answered until it reached `expected` */
const release = async (expected: number) => {
  const waiting = held ?? []
  held = undefined
  answered = 0
  const started = performance.now()
  await new Promise<void>((resolve) => {
    heard = () => {
      if (answered === expected) resolve()
    }
    for (const response of waiting) answer(response)
  })
  return { rate: (expected / (performance.now() - started)) * 1000 }
}

answering(({ ask, expected }: { ask: 'url' | 'hold' | 'release'; expected: number }) => {
  if (ask === 'release') return release(expected)
  if (ask === 'hold') held = []
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` }
})
