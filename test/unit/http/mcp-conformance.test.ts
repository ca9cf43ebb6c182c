import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as v from 'valibot'
import { change, read, type Endpoint } from '#kernel/endpoint.ts'
import { invalid } from '#kernel/errors.ts'
import type { TenantInfo } from '#kernel/actor.ts'
import { Ok, ok } from '#kernel/schema.ts'
import { Calls } from '#http/mcp/calls.ts'
import { Confirmations } from '#http/mcp/confirmation.ts'
import { describeTools } from '#http/mcp/listing.ts'
import { openProtocol, type Asked } from '#http/mcp/protocol.ts'
import { Tool } from '#http/mcp/tool.ts'
import type { ToolWords } from '#http/mcp/tools.ts'
import { Vault } from '#runtime/vault.ts'
import { TestClock } from '#kit/clock.ts'
import { runSuite } from '#kit/conformance.ts'
import { REVISIONS } from '#kit/mcp.ts'
import { WITH_DIAGNOSTIC_TOOLS } from '../../binary/conformance-baseline.ts'

/**
 * Much of the conformance suite calls diagnostic tools of its own, which no released program has. Here the program's
 * protocol serves those that can be made of its kinds of tools, over a pipeline that answers everything.
 */

const Said = v.object({ said: v.string() })

const reading = (id: string): Endpoint =>
  read({
    id,
    path: '/said',
    summary: 'Says something',
    access: 'tenant',
    reply: Said,
    handle: async () => ({ said: id }),
  })
const asking = (id: string): Endpoint =>
  change({
    id,
    method: 'POST',
    path: '/asked',
    summary: 'Asks first',
    access: 'settings.manage',
    wholeTenant: true,
    reply: Ok,
    handle: async () => ok,
  })

const toolOf = (endpoint: Endpoint, more: Partial<ToolWords> = {}): [string, Tool] => {
  const name = endpoint.id
  return [name, new Tool({ name, title: name, description: 'A tool of the suite.', ...more }, endpoint, () => endpoint)]
}

const asks = { done: 'It is done.', asksBack: true } as const
const TOOLS = new Map([
  toolOf(reading('test_simple_text')),
  toolOf(reading('test_error_handling')),
  toolOf(reading('test_logging_tool')),
  toolOf(asking('test_streaming_elicitation'), asks),
  toolOf(asking('test_input_required_result_elicitation'), asks),
  toolOf(asking('test_input_required_result_request_state'), asks),
  toolOf(asking('test_input_required_result_tampered_state'), asks),
])

const answer = async ({ endpoint }: { endpoint: Endpoint }): Promise<unknown> => {
  if (endpoint.id === 'test_error_handling') throw invalid([], 'Is refused on purpose.')
  return endpoint.reply === Said ? { said: endpoint.id } : ok
}

const asked = {
  entrant: {
    caller: {
      id: 'somebody',
      actor: { type: 'user' },
      tenant: { id: 'one', timezone: 'UTC', currency: 'ILS' } as TenantInfo,
    },
  },
  request: { requestId: 'one', header: () => undefined },
} as unknown as Asked

const protocol = () => {
  const tools = describeTools([...TOOLS.values()])
  return openProtocol({
    version: '0',
    tools: TOOLS,
    calls: new Calls({
      pipeline: {
        call: async (called) => ({ status: 200, reply: await answer(called), replayed: false }),
        rehearse: answer,
      },
      confirmations: new Confirmations(new Vault(Buffer.alloc(32, 1)), new TestClock('2026-03-02T08:00:00.000Z')),
      log: pino({ level: 'silent' }),
    }),
    toolsFor: () => [...tools.values()],
  })
}

const requestOf = ({ method = 'GET', headers }: IncomingMessage): Request => {
  const named = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
  return new Request('http://localhost/mcp', { method, headers: named })
}

const server = createServer((incoming, outgoing) => {
  const reply = async (): Promise<void> => {
    const body = (await buffer(incoming)).toString()
    const authInfo = { token: '', clientId: 'one', scopes: [], extra: { asked } }
    const parsedBody = body === '' ? {} : { parsedBody: JSON.parse(body) as unknown }
    const response = await opened.fetch(requestOf(incoming), { authInfo, ...parsedBody })
    outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text())
  }
  reply().catch(() => outgoing.destroy())
})
const opened = protocol()
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
