import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runSuite } from '#kit/conformance.ts'
import { REVISIONS } from '#kit/mcp.ts'
import { WITH_DIAGNOSTIC_TOOLS } from '../../binary/conformance-baseline.ts'
import { post } from './mcp-protocol.ts'

/**
 * Much of the conformance suite calls diagnostic tools of its own, which no released program has. Here the program's
 * protocol serves those that can be made of its kinds of tools.
 */

const server = createServer((incoming, outgoing) => {
  const reply = async (): Promise<void> => {
    const { status, headers, body } = await post(await buffer(incoming), incoming.headers as Record<string, string>)
    outgoing.writeHead(status, headers).end(body)
  }
  reply().catch(() => outgoing.destroy())
})
let url: string
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
})
afterAll(() => server.close())

test.each(REVISIONS)('checks of the suite that need tools of its own pass in the revision of %s', async (revision) => {
  const verdicts = await runSuite(['server', '--url', url, '--requirements', revision])
  const failing = WITH_DIAGNOSTIC_TOOLS[revision].filter((check) => verdicts.get(check)?.status !== 'SUCCESS')
  expect(failing.map((check) => [check, verdicts.get(check)])).toEqual([])
})
