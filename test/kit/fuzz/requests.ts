import fc, { type Arbitrary } from 'fast-check'
import type { Example } from '#kit/examples.ts'
import type { Document, JsonSchema, Operation, Parameter } from '../openapi/document.ts'
import { hostile, hostileText, near, toJson, valid, type Ids } from './values.ts'

/** Who sends the request: the sender of the example, or another. */
export const CALLERS = ['example', 'key', 'branch', 'foreign', 'nobody', 'garbage'] as const
export type CallerName = (typeof CALLERS)[number]

export interface FuzzRequest {
  /** Index of the example that it was made from. */
  example: number
  caller: CallerName
  method: string
  path: string
  headers: Record<string, string>
  raw: string | Buffer | undefined
}

export interface Target {
  method: string
  path: string
  operation: Operation
  document: Document
  /** Requests that succeed; one that uses something up succeeds once. */
  examples: readonly Example[]
  ids: Ids
  /** Cursors from replies of lists. */
  cursors: readonly string[]
}

const parametersOf = ({ operation, document }: Target): Parameter[] =>
  operation.parameters.map((parameter) =>
    '$ref' in parameter
      ? (document.components.parameters[parameter.$ref.split('/').at(-1) as string] as Parameter)
      : parameter,
  )

/** encodeURIComponent refuses lone surrogates; their bytes can be sent. */
const encode = (text: string): string => (text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80')

const oddSegment = (real: string, ids: Ids): Arbitrary<string> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(real.toUpperCase(), ...(ids.get('') ?? [])) },
    { weight: 2, arbitrary: fc.uuid().map(encode) },
    { weight: 3, arbitrary: fc.constantFrom(...ODD_SEGMENTS.map((odd) => odd.replace('ID', real))) },
    { weight: 2, arbitrary: hostileText.filter((text) => !/^\.{0,2}$/.test(text)).map(encode) },
  )
const ODD_SEGMENTS = [
  'ID/',
  'ID%2F',
  '%2FID',
  'ID%00',
  'ID%0A',
  ' ID',
  'ID%20',
  'ID?x',
  'ID;a=b',
  'ID%',
  '%zz',
  '%C0%AF',
  '%2525',
  'ID,ID',
  '{id}',
  ':id',
  '*',
  'ID.json',
  '~',
  'me',
  '-1',
  '0',
]

const segment = (real: string, ids: Ids): Arbitrary<string> =>
  fc.oneof({ weight: 7, arbitrary: fc.constant(real) }, { weight: 1, arbitrary: oddSegment(real, ids) })

const queryOf = (target: Target): Arbitrary<string> => {
  const declared = parametersOf(target).filter((parameter) => parameter.in === 'query')
  if (declared.length === 0) return fc.constantFrom('', '', '', '?x=1', '?%zz', '?limit=x&limit[]=1')
  const pair = fc.oneof(
    ...declared.map(({ name, schema }) => {
      const good = valid(schema, name, target.ids).map(String)
      const cursor = name === 'cursor' ? fc.constantFrom('x', ...target.cursors) : good
      const edge = near(schema, name, target.ids).map((value) =>
        typeof value === 'string' ? value : JSON.stringify(value),
      )
      return fc.oneof(
        { weight: 6, arbitrary: fc.oneof(good, cursor).map((value) => `${name}=${encode(value)}`) },
        { weight: 2, arbitrary: edge.map((value) => `${name}=${encode(value)}`) },
        { weight: 2, arbitrary: hostileText.map((value) => `${name}=${encode(value)}`) },
        {
          weight: 1,
          arbitrary: fc.constantFrom(
            name,
            `${name}=`,
            `${name}[]=1`,
            `${name}[$ne]=1`,
            `${name}=%zz`,
            `${name}=%ff`,
            `${name}=+`,
            `%00${name}=1`,
          ),
        },
      )
    }),
  )
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant('') },
    { weight: 5, arbitrary: fc.array(pair, { maxLength: 4 }).map((pairs) => `?${pairs.join('&')}`) },
  )
}

const HEADERS: Record<string, readonly string[]> = {
  'idempotency-key': [
    '',
    ' ',
    'k',
    'k',
    'x'.repeat(255),
    'x'.repeat(256),
    'caf\u00e9',
    '"1"',
    "' or 1=1 --",
    '__proto__',
  ],
  'content-type': [
    'application/json; charset=utf-16',
    'application/json;charset=',
    'application/json; charset="\u00e9"',
    'APPLICATION/JSON',
    'application/jsonx',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    '',
  ],
  'content-encoding': ['gzip', 'identity', 'br', 'x'],
  'if-match': ['*', '"1"', 'W/"1"', '\u00e9', ''],
  'if-none-match': ['*', '"x"'],
  'accept-language': ['*', 'ar', 'he;q=0.9,en', 'x-'.repeat(1000), ';;;q=', '\u00ff'],
  accept: ['text/html', 'application/json;q=0', '*/*;q=nan', ''],
  'accept-encoding': ['gzip', 'identity;q=0', 'x'],
  'user-agent': ['', 'x'.repeat(4000), '\u00e9\u00ff', '<script>'],
  origin: ['null', 'https://example.org', 'https://evil.example', 'x'],
  cookie: ['institute_refresh=x', 'institute_refresh=%zz', 'institute_refresh=', '=;;=', 'institute_refresh=\u00ff'],
  'x-forwarded-for': ['1.2.3.4', 'x', '::1, ::2', ','],
  'x-forwarded-proto': ['https', 'javascript'],
  'x-forwarded-host': ['evil.example'],
  'x-http-method-override': ['DELETE'],
  'x-request-id': ['x'.repeat(500), '\u00ff'],
  range: ['bytes=0-1', 'bytes=-0'],
}

const headersOf = (keyed: boolean): Arbitrary<Record<string, string>> => {
  const names = Object.keys(HEADERS).filter((name) => keyed || name !== 'content-type')
  const header = fc
    .constantFrom(...names)
    .chain((name) => fc.constantFrom(...(HEADERS[name] as readonly string[])).map((value) => [name, value] as const))
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    { weight: 2, arbitrary: fc.array(header, { maxLength: 3 }).map((pairs) => Object.fromEntries(pairs)) },
  )
}

const nested = (open: string, close: string) => (depth: number) => open.repeat(depth) + close.repeat(depth)
const depths = fc.constantFrom(10, 1000, 20_000, 150_000)

/** Bodies that are no valid JSON, or no object. */
const rawBody = (text: string): Arbitrary<string | Buffer> =>
  fc.oneof(
    fc.constantFrom(
      '',
      ' ',
      '{',
      '[]',
      'null',
      '1',
      '"x"',
      'NaN',
      "{'a':1}",
      '{"a":1,}',
      '{"a":01}',
      '{"a":1}}',
      '\ufeff{}',
      '{"a":"\n"}',
      '[1e400]',
    ),
    fc.constantFrom<Buffer[]>(
      Buffer.from([0x7b, 0xff, 0x7d]),
      Buffer.from('{"a":"\u00e9"}', 'latin1'),
      Buffer.from('{}', 'utf16le'),
      Buffer.from([0x1f, 0x8b, 8, 0]),
    ),
    // JSON keeps the last of two equal names, whichever it is.
    hostile.map((value) => text.replace(/^\{"(\w+)":/, (_, name: string) => `{"${name}":${toJson(value)},"${name}":`)),
    hostile.map((value) =>
      text.replace(
        /\}$/,
        `${text.length > 2 ? ',' : ''}"__proto__":${toJson(value)},"constructor":{"prototype":${toJson(value)}}}`,
      ),
    ),
    depths.map((depth) => text.replace(/\}$/, `${text.length > 2 ? ',' : ''}"deep":${nested('[', ']')(depth)}}`)),
    depths.map((depth) =>
      text.replace(
        /^\{"(\w+)":/,
        (_, name: string) => `{"${name}":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)},"rest":`,
      ),
    ),
    fc.constant(text).map((body) => body.slice(0, -1)),
    fc.constantFrom(1024 * 1024 + 1, 1024 * 1024 - 20).map((size) => `{"a":"${'x'.repeat(size)}"}`),
  )

type Fields = Record<string, unknown>

const bodyOf = (schema: JsonSchema, ids: Ids, example: Fields): Arbitrary<string | Buffer> => {
  const properties = Object.entries(schema.properties ?? {})
  const edit: Arbitrary<(fields: Fields) => Fields> = fc.oneof(
    ...properties.flatMap(([name, inner]) => [
      {
        weight: 4,
        arbitrary: valid(inner, name, ids).map((value) => (fields: Fields) => ({ ...fields, [name]: value })),
      },
      {
        weight: 3,
        arbitrary: near(inner, name, ids).map((value) => (fields: Fields) => ({ ...fields, [name]: value })),
      },
      { weight: 2, arbitrary: hostile.map((value) => (fields: Fields) => ({ ...fields, [name]: value })) },
      {
        weight: 1,
        arbitrary: fc.constant((fields: Fields) =>
          Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name)),
        ),
      },
    ]),
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.oneof(hostileText, fc.constantFrom('id', 'tenantId', 'status', 'version', 'createdAt')), hostile)
        .map(([name, value]) => (fields: Fields) => ({ ...fields, [name]: value })),
    },
  )
  const edited = fc
    .array(edit, { maxLength: 3 })
    .map((edits) => toJson(edits.reduce((fields, change) => change(fields), example)))
  return fc.oneof(
    { weight: 10, arbitrary: edited },
    { weight: 6, arbitrary: valid(schema, '', ids).map(toJson) },
    { weight: 4, arbitrary: near(schema, '', ids).map(toJson) },
    { weight: 3, arbitrary: rawBody(toJson(example)) },
    { weight: 1, arbitrary: hostile.map(toJson) },
  )
}

/** A form body, valid or nearly so. */
const formOf = (schema: JsonSchema, ids: Ids): Arbitrary<string | Buffer> => {
  const fields = fc.oneof(valid(schema, '', ids), near(schema, '', ids))
  const text = (value: unknown) =>
    Object.entries((value ?? {}) as Fields)
      .map(([name, one]) => `${encode(name)}=${encode(typeof one === 'string' ? one : toJson(one))}`)
      .join('&')
  return fc.oneof(
    { weight: 4, arbitrary: fields.map(text) },
    { weight: 1, arbitrary: fc.constantFrom('', '&', '=', '%zz=%', 'name', 'name[]=1', '%00=%00', 'a=1;b=2') },
    { weight: 1, arbitrary: rawBody('name=x') },
  )
}

const bytes: Arbitrary<Buffer> = fc.uint8Array({ maxLength: 5000 }).map((array) => Buffer.from(array))

const requestsLike = (target: Target, index: number): Arbitrary<FuzzRequest> => {
  const { method, path, operation, ids } = target
  const example = target.examples[index] as Example
  const [type = '', described = {}] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
  const segments = fc.record(
    Object.fromEntries(names.map((name) => [name, segment(example.params?.[name] ?? name, ids)])),
  )
  const query = example.query ? fc.oneof(fc.constant(example.query), queryOf(target)) : queryOf(target)
  const noBody = fc.constant(undefined)
  const oddBody = fc.oneof({ weight: 5, arbitrary: noBody }, { weight: 1, arbitrary: rawBody('{}') })
  const bodies = (): Arbitrary<string | Buffer | undefined> => {
    if (type === 'application/json') return bodyOf(described.schema ?? {}, ids, (example.body ?? {}) as Fields)
    if (described.schema) return formOf(described.schema, ids)
    if (type !== '') return bytes
    return method === 'GET' ? noBody : oddBody
  }
  return fc.record({
    example: fc.constant(index),
    caller: fc.oneof(
      { weight: 8, arbitrary: fc.constant<CallerName>('example') },
      { weight: 3, arbitrary: fc.constantFrom(...CALLERS) },
    ),
    method: fc.constant(method),
    path: fc
      .tuple(segments, query)
      .map(([values, after]) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] as string) + after),
    headers: headersOf(method !== 'GET').map((headers) => ({ ...example.headers, ...headers })),
    raw: bodies(),
  })
}

/** Requests to one operation. Most of them reach its handler, and are wrong in one way or not at all. */
export const requestsOf = (target: Target): Arbitrary<FuzzRequest> =>
  fc.oneof(...target.examples.map((_, index) => requestsLike(target, index)))
