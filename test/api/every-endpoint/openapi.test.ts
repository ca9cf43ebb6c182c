import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEFAULTS } from '#app/config/config.ts'
import { version } from '#executable/version.ts'
import { EVENT_CATALOGUE } from '#kernel/contract/events.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { compareDocuments } from '#kit/openapi/compare.ts'
import { operationsOf, type FullDocument, type JsonSchema } from '#kit/openapi/document.ts'
import { printDocument } from '#kit/openapi/print.ts'
import { bodiesOf, namedOf, within } from '#kit/openapi/walk.ts'

/** The document states the limits. */
const AS_DEPLOYED = { config: { publicLimits: DEFAULTS.publicLimits } }

let app: TestApp
let document: FullDocument
beforeAll(async () => {
  app = await startApp(AS_DEPLOYED)
  document = (await app.get('//openapi.json')).body as FullDocument
})
afterAll(() => app.close())

test('//openapi.json is OpenAPI 3.1 with every declared endpoint, and no other', async () => {
  expect(document).toMatchObject({ openapi: '3.1.0', info: { version }, servers: [{ url: '/api/v1' }] })
  const described = operationsOf(document).map(({ method, path: at }) => `${method} ${at}`)
  const forPrograms = app.app.endpoints.filter(({ forPeople }) => !forPeople)
  expect(described.toSorted()).toEqual(forPrograms.map(({ method, path: at }) => `${method} ${at}`).toSorted())
})

test('it is the same, to the byte, of every server of this version', async () => {
  const other = await startApp(AS_DEPLOYED)
  try {
    expect((await other.get('//openapi.json')).headers.get('etag')).toBe(
      (await app.get('//openapi.json')).headers.get('etag'),
    )
  } finally {
    await other.close()
  }
})

test('generators of clients can read each of its schemas', () => {
  const unread: string[] = []
  const visit = (value: unknown, at: string): void => {
    if (typeof value !== 'object' || value === null) return
    const { type, items, pattern } = value as JsonSchema
    if ('default' in value && value.default === null) unread.push(`${at}: null by default`)
    if (type === 'array' && items === undefined) unread.push(`${at}: an array without items`)
    if (typeof pattern === 'string') {
      // Most make a RegExp without a flag of it, some one with the flag u: both must be the same.
      for (const flag of ['', 'u']) expect(() => new RegExp(pattern, flag), at).not.toThrow()
      if (/\\[pPk]|\(\?(?!:)|\\u\{/.test(pattern)) unread.push(`${at}: ${pattern}`)
    }
    for (const [name, one] of Object.entries(value)) if (!/^examples?$/.test(name)) visit(one, `${at}/${name}`)
  }
  visit(document, '')
  expect(unread).toEqual([])
})

describe('sent to whoever takes it compressed', () => {
  const ask = (headers: Record<string, string>) => fetch(`${app.url}/openapi.json`, { headers })

  test.each(['br', 'gzip'])('%s: it is the same document in a small part of the bytes', async (encoding) => {
    const plain = await ask({ 'accept-encoding': 'identity' })
    const reply = await ask({ 'accept-encoding': encoding })
    expect([plain.headers.get('content-encoding'), reply.headers.get('content-encoding')]).toEqual([null, encoding])
    expect(Number(reply.headers.get('content-length'))).toBeLessThan(Number(plain.headers.get('content-length')) / 5)
    expect(await reply.text()).toBe(await plain.text())
  })

  test('each encoding has an ETag of its own, and is answered with 304 by it', async () => {
    const replies = await Promise.all(
      ['identity', 'gzip', 'br'].map((encoding) => ask({ 'accept-encoding': encoding })),
    )
    const tags = replies.map(({ headers }) => headers.get('etag') as string)
    expect(new Set(tags).size).toBe(3)
    expect(replies.map(({ headers }) => headers.get('vary'))).toEqual(Array(3).fill('Accept-Encoding'))
    const again = (tag: string) => ask({ 'accept-encoding': 'gzip', 'if-none-match': tag }).then(({ status }) => status)
    expect(await Promise.all(tags.map(again))).toEqual([200, 304, 200])
  })

  test('what is refused is not sent', async () => {
    const reply = await ask({ 'accept-encoding': 'br;q=0, gzip;q=0' })
    expect(reply.headers.get('content-encoding')).toBe(null)
  })
})

/** Optional fields of replies, by the contract: a token that travels in a cookie, parts of an address; by RFC 7591 a page. */
const OPTIONAL = ['refreshToken', 'client_uri', 'error', 'line1', 'line2', 'city', 'region', 'postalCode', 'country']

/** Every named schema that a reply is made of. */
const givenNames = (): string[] => {
  const names = new Set<string>()
  const add = ({ $ref, ...schema }: JsonSchema): void => {
    const name = $ref?.split('/').at(-1)
    if (name !== undefined && !names.has(name)) {
      names.add(name)
      add(document.components.schemas[name] as JsonSchema)
    }
    for (const place of within({ at: '', schema }).slice(1)) add(place.schema)
  }
  const replies = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ responses }) =>
      Object.entries(responses).flatMap(([status, { content = {} }]) => (status < '300' ? Object.values(content) : [])),
    ),
  )
  for (const { schema } of replies) if (schema) add(schema)
  return [...names].toSorted()
}

test('a field of a reply is always there, and null where it has no value', () => {
  const names = givenNames()
  expect(names.length).toBeGreaterThan(50)
  const optional = names
    .flatMap((at) => within({ at, schema: document.components.schemas[at] as JsonSchema }))
    .flatMap(({ at, schema: { properties = {}, required = [] } }) =>
      Object.keys(properties).flatMap((name) => (required.includes(name) ? [] : [{ at, name }])),
    )
  expect(optional.filter(({ name }) => !OPTIONAL.includes(name))).toEqual([])
})

describe('whoever reads it, or makes a client of it, finds', () => {
  const isObject = ({ type, properties }: JsonSchema) => type === 'object' && properties !== undefined

  test('a name on every object that an operation takes or gives: `named(…)` says it', () => {
    const nameless = [...bodiesOf(document), ...namedOf(document).flatMap((place) => within(place).slice(1))]
      .flatMap((place) => within(place))
      .filter(({ schema }) => isObject(schema))
    // The envelope has one field.
    expect([...new Set(nameless.map(({ at }) => at))]).toEqual(['ErrorBody.error'])
  })

  const fields = () =>
    namedOf(document)
      .flatMap(within)
      .flatMap(({ at, schema: { properties = {} } }) =>
        Object.entries(properties).map(([name, schema]) => ({ at: `${at}.${name}`, name, schema })),
      )
  const said = ({ description = '' }: JsonSchema) => description.trim()

  test('what every field means: the glossary, or the words beside its schema', () => {
    expect(fields().length).toBeGreaterThan(700)
    const silent = fields().flatMap(({ at, schema }) =>
      said(schema) === ''
        ? [
            `Say what ${at} means: in the words beside the schema, or in src/kernel/contract/glossary.ts if it is so everywhere.`,
          ]
        : [],
    )
    expect(silent).toEqual([])
  })

  test('what null means of every field of a reply that may be null', () => {
    const given = new Set(givenNames())
    const nullable = fields().filter(
      ({ at, schema }) =>
        given.has(at.split('.')[0] as string) && (schema.anyOf ?? []).some(({ type }) => type === 'null'),
    )
    expect(nullable.length).toBeGreaterThan(50)
    const silent = nullable.flatMap(({ at, schema }) =>
      said(schema).includes('null: ') ? [] : [`Say what null means of ${at}: “null: …” in its words.`],
    )
    expect(silent).toEqual([])
  })

  test('the unit of every amount', () => {
    const amounts = fields().filter(({ name }) => name.endsWith('Minor'))
    expect(amounts.length).toBeGreaterThan(10)
    expect(amounts.flatMap(({ at, schema }) => (/smallest unit/.test(said(schema)) ? [] : [at]))).toEqual([])
    const isWhole = ({ type, anyOf = [] }: JsonSchema): boolean => type === 'integer' || anyOf.some(isWhole)
    expect(amounts.flatMap(({ at, schema }) => (isWhole(schema) ? [] : [at]))).toEqual([])
  })

  test('what every parameter means', () => {
    const silent = operationsOf(document).flatMap(({ operation: { operationId, parameters } }) =>
      parameters.flatMap((one) =>
        '$ref' in one || (one.description ?? '') !== ''
          ? []
          : [`Say what ${one.name} of ${operationId} means: in the words of explained(…) beside its query.`],
      ),
    )
    expect(silent).toEqual([])
  })

  test('words of a filter that are true of its list: those that fields or other lists share may not be', () => {
    const named = operationsOf(document).map(({ operation: { operationId, parameters } }) => ({
      operationId,
      parameters: parameters.flatMap((one) => ('$ref' in one || one.in !== 'query' ? [] : [one])),
    }))
    const anywhere = new Set(named.flatMap(({ parameters }) => parameters.map(({ name }) => name)))
    const wrong = named.flatMap(({ operationId, parameters }) => {
      const own = new Set(parameters.map(({ name }) => name))
      return parameters.flatMap(({ name, description = '' }) => {
        const others = [...description.matchAll(/`(\w+)`/g)].flatMap(([, word = '']) =>
          anywhere.has(word) && !own.has(word) ? [word] : [],
        )
        const about =
          others.length > 0 ? `speaks of ${others.join(', ')}, which it does not take` : 'says what null means'
        return others.length > 0 || /; null:/.test(description)
          ? [`${name} of ${operationId} ${about}: give it words of its own in explained(…) beside its query.`]
          : []
      })
    })
    expect(wrong).toEqual([])
  })

  test('a sentence on every tag', () => {
    const used = operationsOf(document).flatMap(({ operation: { tags = [] } }) => tags)
    const explained = document.tags.filter(({ description }) => description.endsWith('.')).map(({ name }) => name)
    expect([...new Set(used)].toSorted()).toEqual(explained.toSorted())
  })

  test('an example of every refusal, with the status and code under which it stands', () => {
    const refusals = operationsOf(document).flatMap(({ operation: { operationId, responses } }) =>
      Object.entries(responses).flatMap(([status, { content }]) =>
        Object.values(content?.['application/json']?.examples ?? {}).map(({ $ref }) => ({ operationId, status, $ref })),
      ),
    )
    expect(refusals.length).toBeGreaterThan(1000)
    for (const { operationId, status, $ref } of refusals) {
      const example = document.components.examples[$ref.split('/').at(-1) as string]?.value as {
        error: { code: string; message: string }
      }
      const { description } =
        operationsOf(document).find(({ operation }) => operation.operationId === operationId)?.operation.responses[
          status
        ] ?? {}
      expect(description).toContain(`${example.error.code}: ${example.error.message}`)
    }
  })

  test('the headers that replies have', async () => {
    const { headers } = document.paths['/students']?.post?.responses['201'] ?? {}
    expect(Object.keys(headers ?? {})).toEqual([
      'X-Request-Id',
      'RateLimit-Limit',
      'RateLimit-Remaining',
      'RateLimit-Reset',
      'Idempotency-Replayed',
    ])
    expect(Object.keys(document.paths['/students']?.get?.responses['429']?.headers ?? {})).toContain('Retry-After')
    expect(Object.keys(document.paths['/groups/{id}']?.patch?.responses['200']?.headers ?? {})).toContain(
      'X-Schedule-Conflicts',
    )
  })

  test('what every event sends', () => {
    expect(Object.keys(document.webhooks)).toEqual(EVENT_CATALOGUE.map(({ type }) => type))
    expect(EVENT_CATALOGUE).toHaveLength(28)
    for (const { type, fields: names } of EVENT_CATALOGUE) {
      const name = type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())
      expect(document.webhooks[type]?.post.requestBody?.content?.['application/json']?.schema).toEqual({
        $ref: `#/components/schemas/${name}Event`,
      })
      expect(Object.keys(document.components.schemas[`${name}Data`]?.properties ?? {})).toEqual(names)
    }
  })
})

/** What clients depend on: examples and the version of the program change, and break nobody. */
const contractIn = (whole: FullDocument): unknown => {
  const { examples: _, ...components } = whole.components
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plain)
    if (value === null || typeof value !== 'object') return value
    const entries = Object.entries(value).filter(([name]) => name !== 'example' && name !== 'examples')
    return Object.fromEntries(entries.map(([name, inner]) => [name, plain(inner)]))
  }
  return { ...whole, info: { ...whole.info, version: '1' }, paths: plain(whole.paths), components }
}

/**
 * test/contract/openapi.json is the document that clients were written against. After an intended change, `npm test -- -u`
 * renews it.
 */
test('nothing that clients rely on has changed unintentionally', async () => {
  const file = path.resolve('test/contract/openapi.json')
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as FullDocument) : undefined
  const isStale = await expect(`${printDocument(contractIn(document))}\n`)
    .toMatchFileSnapshot(file)
    .then(
      () => false,
      () => true,
    )
  if (!isStale) return
  if (!before) throw new Error(`${file} is missing: ${RENEW}`)
  const { breaking, harmless } = compareDocuments(before, document)
  if (breaking.length > 0) {
    throw new Error(`This breaks clients:\n  ${breaking.join('\n  ')}\nUndo it; or, if it is meant, ${RENEW}`)
  }
  const lines = harmless.length > 0 ? harmless.join('\n  ') : 'only words differ'
  throw new Error(`This breaks nobody, but test/contract/openapi.json does not know it:\n  ${lines}\nSo ${RENEW}`)
})
const RENEW = 'renew it with `npm test -- -u`.'

test('redocly lint finds nothing', async () => {
  const file = path.join(app.dataDir, 'openapi.json')
  const config = path.join(app.dataDir, 'redocly.yaml')
  writeFileSync(file, JSON.stringify(document))
  // Health probes have no 4XX replies.
  writeFileSync(config, 'extends: [recommended]\nrules: {operation-4xx-response: off}\ntelemetry: off\n')
  const cli = path.resolve('node_modules/@redocly/cli/bin/cli.js')
  const run = () =>
    execFileSync(process.execPath, [cli, 'lint', file, '--config', config, '--format', 'stylish'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    })
  expect(run()).not.toMatch(/error|warning/i)
}, 30_000)
