import type * as v from 'valibot'
import type { Endpoint } from '#kernel/contract/endpoint.ts'
import type { Concern, ToolWords } from '#kernel/contract/tool.ts'
import { ApiError, InvalidInput, type Issue } from '#kernel/values/errors.ts'
import { unwrapped } from '#http/bodies/bounds.ts'
import type { RawInput } from '#http/bodies/input.ts'

/** The arguments of a tool that say how it is called; the others are the endpoint's. */
export const KEY_ARGUMENT = 'idempotencyKey'
export const TOKEN_ARGUMENT = 'confirmToken'

/** How many records of a list a call gets without a limit, and at most: what a model reads, it pays for. */
export const USUAL_RECORDS = 10
export const MOST_RECORDS = 25

/** Where the endpoint takes an argument, and by which name. */
interface Slot {
  in: 'params' | 'query' | 'body'
  name: string
}

/** A tool call, as the endpoint takes it. */
export interface ToolCall {
  raw: RawInput
  idempotencyKey: string | undefined
  confirmToken: string | undefined
}

type Arguments = Readonly<Record<string, unknown>>

const fieldsOf = (schema: v.GenericSchema | undefined): string[] =>
  schema ? Object.keys(unwrapped(schema).entries ?? {}) : []

/** Objects with their fields in one order, so that the same arguments are the same bytes in whatever order they came. */
const inOrder = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([name, inner]) => [name, inOrder(inner)]))
}

/** An endpoint as a tool. Its arguments are the parameters of path and query and the fields of the body, side by side. */
export class Tool {
  readonly words: ToolWords
  readonly endpoint: Endpoint
  readonly slots: ReadonlyMap<string, Slot>
  readonly concerns: readonly (Concern & { endpoint: Endpoint })[]

  /**
   * @param endpointOf finds an endpoint by its id
   * @throws an Error for an endpoint of which two arguments would have the same name
   */
  constructor(words: ToolWords, endpoint: Endpoint, endpointOf: (id: string) => Endpoint) {
    this.words = words
    this.endpoint = endpoint
    this.concerns = (words.concerns ?? []).map((concern) => ({ ...concern, endpoint: endpointOf(concern.read) }))
    const params = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
    const slots: [string, Slot][] = [
      ...params.map((name): [string, Slot] => [words.params?.[name] ?? name, { in: 'params', name }]),
      ...fieldsOf(endpoint.query).map((name): [string, Slot] => [name, { in: 'query', name }]),
      ...fieldsOf(endpoint.body).map((name): [string, Slot] => [name, { in: 'body', name }]),
    ]
    this.slots = new Map(slots)
    const own = this.isChange ? [KEY_ARGUMENT, TOKEN_ARGUMENT] : []
    if (this.slots.size < slots.length || own.some((name) => this.slots.has(name)))
      throw new Error(`Two arguments of the tool ${words.name} have the same name.`)
  }

  get isChange(): boolean {
    return this.endpoint.method !== 'GET'
  }

  get isPaged(): boolean {
    return this.slots.get('limit')?.in === 'query' && this.slots.has('cursor')
  }

  /** The arguments that say how it is called. */
  get ownArguments(): string[] {
    if (!this.isChange) return []
    return [this.words.asksBack ? TOKEN_ARGUMENT : KEY_ARGUMENT]
  }

  /**
   * Sorts the arguments into those of path, query and body; the endpoint checks them as it checks those of a request.
   * @throws VALIDATION_ERROR for an argument that the tool does not have, and for a missing id
   */
  callOf(given: Arguments): ToolCall {
    const issues: Issue[] = []
    const params: Record<string, string> = {}
    const query = new URLSearchParams()
    const body: Record<string, unknown> = {}
    for (const name of Object.keys(given)) {
      if (!this.slots.has(name) && !this.ownArguments.includes(name))
        issues.push({ path: [name], message: `Is no argument of ${this.words.name}.` })
    }
    for (const [argument, slot] of this.slots) {
      const value = Object.hasOwn(given, argument) ? given[argument] : undefined
      if (slot.in === 'params') {
        if (typeof value === 'string') params[slot.name] = value
        else issues.push({ path: [argument], message: value === undefined ? 'Is required.' : 'Must be a text.' })
      } else if (value === undefined) continue
      else if (slot.in === 'body') body[slot.name] = inOrder(value)
      // Models send null for what they leave out, and a query has no null.
      else if (value !== null) {
        for (const one of [value].flat()) {
          if (typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean')
            query.append(slot.name, String(one))
          else issues.push({ path: [argument], message: 'Must be a value.' })
        }
      }
    }
    if (this.isPaged) {
      if (!query.has('limit')) query.set('limit', String(USUAL_RECORDS))
      if (Number(query.get('limit')) > MOST_RECORDS)
        issues.push({ path: ['limit'], message: `Must be at most ${MOST_RECORDS}.` })
    }
    const [idempotencyKey, confirmToken] = [KEY_ARGUMENT, TOKEN_ARGUMENT].map((name) => ownText(given, name, issues))
    if (issues.length > 0) throw InvalidInput({ issues })
    const bytes = this.endpoint.body ? Buffer.from(JSON.stringify(body)) : Buffer.alloc(0)
    return {
      raw: { params, query, body: bytes, upload: undefined, contentType: 'application/json' },
      idempotencyKey,
      confirmToken,
    }
  }

  /** A refusal of the endpoint, with the arguments named as the caller names them. */
  inItsWords(error: unknown): unknown {
    const { issues } = ((error instanceof ApiError && error.details) || {}) as { issues?: readonly Issue[] }
    if (!(error instanceof ApiError) || !issues) return error
    const names = new Map([...this.slots].map(([argument, slot]) => [slot.name, argument]))
    const renamed = issues.map(({ path: [first, ...rest], message }) => ({
      path: first === undefined ? [] : [names.get(first) ?? first, ...rest],
      message,
    }))
    return new ApiError(error.spec, { ...error.details, issues: renamed }, error.headers)
  }
}

const ownText = (given: Arguments, name: string, issues: Issue[]): string | undefined => {
  const value = given[name] ?? undefined
  if (value === undefined || (typeof value === 'string' && value !== '')) return value
  issues.push({ path: [name], message: 'Must be a text.' })
  return undefined
}
