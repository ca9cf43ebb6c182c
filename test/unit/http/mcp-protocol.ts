import { pino } from 'pino'
import * as v from 'valibot'
import { change, read, type Endpoint } from '#kernel/contract/endpoint.ts'
import { invalid } from '#kernel/values/errors.ts'
import type { TenantInfo } from '#kernel/who/actor.ts'
import { Ok, ok } from '#kernel/values/schema.ts'
import { Calls } from '#http/mcp/calls.ts'
import { Confirmations } from '#http/mcp/confirmation.ts'
import { describeTools } from '#http/mcp/listing.ts'
import { Protocol, type Asked } from '#http/mcp/protocol.ts'
import type { Reply } from '#http/replies/reply.ts'
import { Tool } from '#http/mcp/tool.ts'
import type { ToolWords } from '#kernel/contract/tool.ts'
import { Vault } from '#runtime/secrets/vault.ts'
import { TestClock } from '#kit/clock.ts'

/** The protocol of //mcp alone, with tools of the conformance suite over a pipeline that answers everything. */

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

const tenant = { id: 'one', timezone: 'UTC', currency: 'ILS' } as TenantInfo
const entrant = { caller: { id: 'somebody', actor: { type: 'user' }, tenant } }

const listed = [...describeTools([...TOOLS.values()]).values()]

/** What the protocol is made of. */
export const PARTS = {
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
  toolsFor: () => listed,
}

/** Somebody who asks with these headers, named in small letters. */
export const askedWith = (headers: Readonly<Record<string, string | undefined>>): Asked =>
  ({ entrant, request: { requestId: 'one', header: (name: string) => headers[name] } }) as unknown as Asked

const protocol = new Protocol(PARTS)

/** Answers the body of a POST. */
export const post = (body: Buffer, headers: Readonly<Record<string, string | undefined>>): Promise<Reply> =>
  protocol.answer(body, askedWith(headers))
