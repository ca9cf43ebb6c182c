import {
  jsonSchemaOf,
  type Content,
  type Document,
  type JsonSchema,
  type Operation,
  type Parameter,
} from './document.ts'

/** The differences between two API documents, one line each. */
export interface Changes {
  /** Changes that can break a client of the earlier document. */
  breaking: string[]
  /** Changes that such a client need not know. */
  harmless: string[]
}

/** Requests may only become less strict; replies may only become richer. */
type Direction = 'request' | 'reply'

const BOUNDS = ['maximum', 'maxLength', 'maxItems', 'minimum', 'minLength', 'minItems'] as const

class Comparison implements Changes {
  readonly breaking: string[] = []
  readonly harmless: string[] = []
  readonly #before: Document
  readonly #after: Document
  /** Named schemas that are being compared; a schema may refer to itself. */
  readonly #open = new Set<string>()

  constructor(before: Document, after: Document) {
    this.#before = before
    this.#after = after
  }

  documents(): void {
    const [before, after] = [operationsOf(this.#before), operationsOf(this.#after)]
    this.#names({ at: 'API', what: 'operation', before, after })
    for (const [name, operation] of before) {
      const other = after.get(name)
      if (other) this.#operations(name, operation, other)
    }
  }

  #note(isBreaking: boolean, line: string): void {
    ;(isBreaking ? this.breaking : this.harmless).push(line)
  }

  /** Reports names that are gone, which breaks clients, and new names, which does not. */
  #names(of: {
    at: string
    what: string
    before: Iterable<[string, unknown]>
    after: Iterable<[string, unknown]>
  }): void {
    const [before, after] = [new Map(of.before), new Map(of.after)]
    for (const name of before.keys()) if (!after.has(name)) this.#note(true, `${of.at}: ${of.what} ${name} was removed`)
    for (const name of after.keys()) if (!before.has(name)) this.#note(false, `${of.at}: ${of.what} ${name} is new`)
  }

  #operations(at: string, before: Operation, after: Operation): void {
    if (before.operationId !== after.operationId) {
      this.#note(true, `${at}: operationId changed from ${before.operationId} to ${after.operationId}`)
    }
    if (before.security.length === 0 && after.security.length > 0) this.#note(true, `${at}: a credential is needed now`)
    else if (after.security.length > 0) {
      const schemes = ({ security }: Operation) => security.flatMap((one) => Object.entries(one))
      this.#names({ at, what: 'credential', before: schemes(before), after: schemes(after) })
    }
    this.#parameters(at, before, after)
    this.#bodies(at, before, after)
    const [was, is] = [Object.entries(before.responses), Object.entries(after.responses)]
    this.#names({ at, what: 'response status', before: was, after: is })
    for (const [status, response] of was) {
      const other = after.responses[status]
      if (!other) continue
      const where = `${at} ${status}`
      this.#names({
        at: where,
        what: 'header',
        before: Object.entries(response.headers ?? {}),
        after: Object.entries(other.headers ?? {}),
      })
      this.#mediaTypes(where, response, other)
      const [schema, next] = [jsonSchemaOf(response), jsonSchemaOf(other)]
      if (schema && next) this.#schemas(where, 'reply', schema, next)
      else if (schema) this.#note(true, `${where}: the body was removed`)
      else if (next) this.#note(false, `${where}: a body is new`)
    }
  }

  #parameters(at: string, before: Operation, after: Operation): void {
    const [was, is] = [parametersOf(this.#before, before), parametersOf(this.#after, after)]
    for (const [name, parameter] of was) {
      const other = is.get(name)
      if (!other) this.#note(true, `${at}: parameter ${name} was removed`)
      else {
        if (!parameter.required && other.required) this.#note(true, `${at}: parameter ${name} is required now`)
        if (parameter.required && !other.required) this.#note(false, `${at}: parameter ${name} may be left out now`)
        this.#schemas(`${at} ${name}`, 'request', parameter.schema, other.schema)
      }
    }
    for (const [name, { required }] of is) {
      if (!was.has(name)) this.#note(required, `${at}: ${required ? 'required ' : ''}parameter ${name} is new`)
    }
  }

  #mediaTypes(at: string, { content: before }: Content, { content: after }: Content): void {
    if (!before || !after) return
    this.#names({ at, what: 'media type', before: Object.entries(before), after: Object.entries(after) })
  }

  #bodies(at: string, { requestBody: before }: Operation, { requestBody: after }: Operation): void {
    const where = `${at} body`
    if (after?.required && !before?.required) this.#note(true, `${where}: is required now`)
    if (before?.required && after && !after.required) this.#note(false, `${where}: may be left out now`)
    if (before && !after) this.#note(true, `${where}: is not read any more`)
    if (!before && after && !after.required) this.#note(false, `${where}: is new`)
    if (before && after) this.#mediaTypes(where, before, after)
    const [schema, next] = [jsonSchemaOf(before), jsonSchemaOf(after)]
    if (schema && next) this.#schemas(where, 'request', schema, next)
  }

  #schemas(at: string, direction: Direction, before: JsonSchema, after: JsonSchema): void {
    const pair = `${before.$ref} ${after.$ref}`
    if (before.$ref !== undefined || after.$ref !== undefined) {
      if (this.#open.has(pair)) return
      this.#open.add(pair)
    }
    const [was, is] = [variantsOf(this.#before, before), variantsOf(this.#after, after)]
    for (const [name, variant] of was) {
      const other = is.get(name)
      if (other) this.#variants(at, direction, variant, other)
      else if (was.size > 1 || is.size > 1) this.#note(direction === 'request', `${at}: is never ${name} any more`)
    }
    if (was.size === 1 && is.size === 1 && [...was.keys()][0] !== [...is.keys()][0]) {
      this.#note(true, `${at}: changed from ${[...was.keys()].join()} to ${[...is.keys()].join()}`)
    } else {
      for (const name of is.keys()) if (!was.has(name)) this.#note(direction === 'reply', `${at}: may be ${name} now`)
    }
    this.#open.delete(pair)
  }

  /** Compares two schemas of one type. */
  #variants(at: string, direction: Direction, before: JsonSchema, after: JsonSchema): void {
    const [was, is] = [valuesOf(before), valuesOf(after)]
    if (was && is) this.#names({ at, what: 'value', before: was, after: is })
    else if (is) this.#note(direction === 'request', `${at}: takes only ${[...is.keys()].join(', ')} now`)
    else if (was) this.#note(direction === 'reply', `${at}: may be other than ${[...was.keys()].join(', ')} now`)
    for (const word of ['format', 'pattern'] as const) {
      if (before[word] === after[word]) continue
      const isLooser = after[word] === undefined
      this.#note(
        direction === 'request' ? !isLooser : before[word] !== undefined,
        `${at}: ${word} changed from ${before[word]} to ${after[word]}`,
      )
    }
    if (direction === 'request') this.#bounds(at, before, after)
    this.#properties(at, direction, before, after)
    for (const word of ['items', 'additionalProperties'] as const) {
      const [inner, other] = [before[word], after[word]]
      if (inner && other) this.#schemas(`${at}[]`, direction, inner, other)
    }
  }

  #bounds(at: string, before: JsonSchema, after: JsonSchema): void {
    for (const word of BOUNDS) {
      const none = word.startsWith('max') ? Infinity : -Infinity
      const [was, is] = [before[word] ?? none, after[word] ?? none]
      if (was === is) continue
      this.#note(
        word.startsWith('max') ? is < was : is > was,
        `${at}: ${word} changed from ${before[word]} to ${after[word]}`,
      )
    }
  }

  #properties(at: string, direction: Direction, before: JsonSchema, after: JsonSchema): void {
    const [was, is] = [before.properties ?? {}, after.properties ?? {}]
    const [needed, needs] = [new Set(before.required), new Set(after.required)]
    for (const [name, schema] of Object.entries(was)) {
      const other = is[name]
      if (!other) this.#note(true, `${at}: property ${name} was removed`)
      else {
        if (!needed.has(name) && needs.has(name))
          this.#note(direction === 'request', `${at}: property ${name} is required now`)
        if (needed.has(name) && !needs.has(name))
          this.#note(direction === 'reply', `${at}: property ${name} may be missing now`)
        this.#schemas(`${at}.${name}`, direction, schema, other)
      }
    }
    for (const name of Object.keys(is)) {
      if (was[name]) continue
      const isAsked = direction === 'request' && needs.has(name)
      this.#note(isAsked, `${at}: ${isAsked ? 'required ' : ''}property ${name} is new`)
    }
  }
}

const operationsOf = ({ paths }: Document): Map<string, Operation> =>
  new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
    ),
  )

const named = <T>(all: Record<string, T>, ref: string): T => {
  const found = all[ref.split('/').at(-1) as string]
  if (!found) throw new Error(`${ref} is not in the document.`)
  return found
}

const parametersOf = ({ components }: Document, { parameters }: Operation): Map<string, Parameter> =>
  new Map(
    parameters
      .map((one) => ('$ref' in one ? named(components.parameters, one.$ref) : one))
      .map((one) => [`${one.in} ${one.name}`, one]),
  )

/** The types that a value may have, each with its schema; several of one type are numbered. */
const variantsOf = (document: Document, schema: JsonSchema): Map<string, JsonSchema> => {
  const flat = (one: JsonSchema): JsonSchema[] => {
    if (one.$ref !== undefined) return flat(named(document.components.schemas, one.$ref))
    return one.anyOf ? one.anyOf.flatMap(flat) : [one]
  }
  const variants = new Map<string, JsonSchema>()
  for (const one of flat(schema)) {
    const type = one.type ?? (one.const === undefined ? 'anything' : typeof one.const)
    let name = type
    for (let number = 2; variants.has(name); number += 1) name = `${type} (${number})`
    variants.set(name, one)
  }
  return variants
}

const valuesOf = (schema: JsonSchema): Map<string, unknown> | undefined => {
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
  return values && new Map(values.map((value) => [String(value), value]))
}

/** Compares what two OpenAPI documents allow; texts (summaries, descriptions) make no difference. */
export const compareDocuments = (before: Document, after: Document): Changes => {
  const comparison = new Comparison(before, after)
  comparison.documents()
  return { breaking: comparison.breaking, harmless: comparison.harmless }
}
