import { Client, StreamableHTTPClientTransport, type ElicitResult } from '@modelcontextprotocol/client'
import type { Caller } from '#kernel/who/actor.ts'
import type { Module } from '#kernel/contract/module.ts'
import type { TestApp } from './app.ts'
import type { TestInstitute } from './institute.ts'

/** The revisions that //mcp serves. */
export const REVISIONS = ['2026-07-28', '2025-11-25'] as const
export type Revision = (typeof REVISIONS)[number]

export interface McpOptions {
  revision?: Revision
  /** Answers what the server asks a person; undefined: the client cannot ask. */
  person?: (message: string) => ElicitResult
}

export interface ToolReply {
  text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- a test says what it expects to find
  content: any
  isError: boolean
}

/** A client of the SDK's own, connected to //mcp. */
export interface McpClient {
  client: Client
  /** Calls a tool. */
  call(name: string, given?: Record<string, unknown>): Promise<ToolReply>
  names(): Promise<string[]>
}

export const connectMcp = async (
  { url }: Pick<TestApp, 'url'>,
  credential: string,
  { revision = '2026-07-28', person }: McpOptions = {},
): Promise<McpClient> => {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    {
      capabilities: person ? { elicitation: {} } : {},
      versionNegotiation: { mode: revision === '2025-11-25' ? 'legacy' : { pin: revision } },
    },
  )
  if (person) client.setRequestHandler('elicitation/create', ({ params }) => person(params.message))
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${credential}` } },
    }),
  )
  return {
    client,
    call: async (name, given = {}) => {
      const { content, structuredContent, isError } = await client.callTool({ name, arguments: given })
      const [first] = content as { text?: string }[]
      return { text: first?.text ?? '', content: structuredContent, isError: isError === true }
    },
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
  }
}

const PREFIX = 'assistant-'

/** Lets members come in at //mcp with `assistant-` before their token, as an assistant's token does. */
export const assistantsOf = (app: () => TestApp): Module => ({
  name: 'test-assistants',
  mcpAuthenticators: [
    {
      recognises: (credential) => credential.startsWith(PREFIX),
      authenticate: async (credential, now, where): Promise<Caller | undefined> => {
        const token = credential.slice(PREFIX.length)
        const own = app().app.modules.flatMap(({ authenticators = [] }) => authenticators)
        const caller = await own.find((one) => one.recognises(token))?.authenticate(token, now, where)
        return caller && { ...caller, channel: 'mcp' }
      },
    },
  ],
})

/** What a member's assistant sends. */
export const assistantOf = ({ credential }: { credential: string | null }): string => `${PREFIX}${credential}`

/** A secret key of the institute with these permissions. */
export const newKey = async (
  { owner }: Pick<TestInstitute, 'owner'>,
  permissions: readonly string[],
): Promise<string> => (await owner.post('/api-keys', { name: 'Assistant', permissions })).body.key
