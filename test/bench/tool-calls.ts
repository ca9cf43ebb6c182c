import { client } from '#kit/client.ts'
import { grantTo } from '#kit/oauth.ts'
import { driveCosted, during, drive, requestBytes } from './client.ts'
import { doneIn, sampleOf, together, type Done } from './done.ts'
import type { Measured, Row, Sample } from './figures.ts'
import { inRounds } from './rounds.ts'
import type { School } from './school.ts'
import type { Workbench } from './workbench.ts'

const SMALL = 10_000

/** Short slices, so that both sides meet the same state of the machine. */
const SLICE_MILLIS = 400
const SLICES = 5

/** Lets an assistant in. @returns its token */
const letIn = async ({ program: { url }, token, database, call }: School): Promise<string> => {
  await call('PATCH', '/feature-flags', { mcp: true })
  const tenantId = database.prepare('select tenant_id from branch').pluck().get() as string
  const anybody = client(url)
  return (await grantTo(anybody, anybody.as(token), tenantId)).accessToken
}

/** A tool call of the newest revision. */
const callBytes = (token: string, name: string, given: Record<string, unknown>): Buffer => {
  const revision = '2026-07-28'
  const meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  return requestBytes('POST', '/mcp', {
    token,
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given, _meta: meta } },
    headers: {
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': revision,
      'Mcp-Method': 'tools/call',
      'Mcp-Name': name,
    },
  })
}

/** The same work, as a tool and as the endpoint that it is. */
interface Pair {
  tool: () => Buffer
  endpoint: () => Buffer
}

const cycle = <T>(items: readonly T[]): (() => T) => {
  let next = 0
  return () => items[(next += 1) % items.length] as T
}

/** What an assistant does most in a conversation: it finds students, and reads one. */
const readsOf = ({ request, studentIds }: School, token: string): Record<string, Pair> => {
  const list = {
    tool: callBytes(token, 'students_find', { limit: 10 }),
    endpoint: request('GET', '/students?limit=10'),
  }
  const some = studentIds.filter((_, index) => index % 79 === 0)
  return {
    'ten students': { tool: () => list.tool, endpoint: () => list.endpoint },
    'one student': {
      tool: cycle(some.map((studentId) => callBytes(token, 'student_read', { studentId }))),
      endpoint: cycle(some.map((id) => request('GET', `/students/${id}`))),
    },
  }
}

/** A change costs much more than what a tool adds to it. */
const marksOf = ({ request, sessionIds, roster }: School, token: string): Record<string, Pair> => {
  const marks = ['present', 'excused'].flatMap((status) =>
    sessionIds.slice(0, 500).map((sessionId) => ({ sessionId, entries: [{ studentId: roster[0], status }] })),
  )
  return {
    'attendance marked': {
      tool: cycle(marks.map((given) => callBytes(token, 'attendance_mark', given))),
      endpoint: cycle(
        marks.map(({ sessionId, entries }) => request('PUT', `/sessions/${sessionId}/attendance`, { entries })),
      ),
    },
  }
}

const inTurn = (pairs: readonly Pair[]): Pair => {
  const [tool, endpoint] = [cycle(pairs), cycle(pairs)]
  return { tool: () => tool().tool(), endpoint: () => endpoint().endpoint() }
}

/** The two kinds of reads in turn; below, each alone, and a change. */
export const toolCalls = async (bench: Workbench, rounds: number): Promise<Measured> => {
  const school = await bench.school(SMALL)
  const { program } = school
  const token = await letIn(school)
  const reads = readsOf(school, token)
  const all = inTurn(Object.values(reads))
  for (const make of [all.tool, all.endpoint]) await drive(program.url, during(1500, make))
  const slice = async (make: () => Buffer): Promise<Done> =>
    doneIn(await driveCosted(program, during(SLICE_MILLIS, make)))
  const compared = async ({ tool, endpoint }: Pair): Promise<Sample> => {
    const [ours, reference]: [Done[], Done[]] = [[], []]
    for (let index = 0; index < SLICES; index += 1) {
      reference.push(await slice(endpoint))
      ours.push(await slice(tool))
    }
    return sampleOf(together(ours), together(reference))
  }
  const { samples } = await inRounds(rounds, () => compared(all))
  const below: string[] = []
  for (const [name, pair] of Object.entries({ ...reads, ...marksOf(school, token) })) {
    const { ours, reference = 0, processor } = await compared(pair)
    const times = (tool: number, endpoint: number) => `${(endpoint / tool).toFixed(1)} times`
    const spent = processor ? `; in processor time ${times(processor.reference, processor.ours)}` : ''
    below.push(`${name.padEnd(18)}  a call takes ${times(ours, reference)} its endpoint${spent}`)
  }
  return { samples, below }
}

export const TOOL_CALL: Row = {
  name: 'tool-call',
  what: 'tool calls: ten students found, one read',
  against: 'their endpoints',
  unit: '/s',
  better: 'higher',
  // A call costs at most three times its endpoint, and should cost at most twice as much.
  floor: 0.33,
  goal: 0.5,
}
