import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { compareDocuments } from '#kit/openapi/compare.ts'
import { jsonSchemaOf, operationsOf, type Document, type JsonSchema } from '#kit/openapi/document.ts'
import { printDocument } from '#kit/openapi/print.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

test('//openapi.json is OpenAPI 3.1 with every declared endpoint, and no other', async () => {
  const { body } = await app.get('//openapi.json')
  expect(body.openapi).toBe('3.1.0')
  const described = operationsOf(body as Document).map(({ method, path: at }) => `${method} ${at}`)
  const forPrograms = app.app.endpoints.filter(({ forPeople }) => !forPeople)
  expect(described.toSorted()).toEqual(forPrograms.map(({ method, path: at }) => `${method} ${at}`).toSorted())
})

/** Optional fields of replies, by the contract: a token that travels in a cookie, parts of an address. */
const OPTIONAL = ['refreshToken', 'error', 'line1', 'line2', 'city', 'region', 'postalCode', 'country']

/** The names of optional fields, at any depth. */
const optionalFields = ({ properties = {}, required = [], items, anyOf = [] }: JsonSchema): string[] => [
  ...Object.keys(properties).filter((name) => !required.includes(name)),
  ...[...Object.values(properties), ...anyOf, ...(items ? [items] : [])].flatMap(optionalFields),
]

test('a field of a reply is always present, and null when it has no value', async () => {
  const { paths, components } = (await app.get('//openapi.json')).body as Document
  const { Error: _, ...records } = components.schemas
  const replies = Object.values(paths)
    .flatMap((methods) => Object.values(methods).flatMap(({ responses }) => Object.entries(responses)))
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, response]) => jsonSchemaOf(response) ?? [])
  const optional = [...replies, ...Object.values(records)].flatMap(optionalFields)
  expect([...new Set(optional)].filter((name) => !OPTIONAL.includes(name))).toEqual([])
  expect(replies.length).toBeGreaterThan(100)
})

/**
 * test/contract/openapi.json is the document that clients were written against. After an intended change, renew it: npm
 * test -- test/api/openapi.test.ts -u
 */
test('nothing that clients rely on has changed unintentionally', async () => {
  const file = path.resolve('test/contract/openapi.json')
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Document) : undefined
  const { body } = await app.get('//openapi.json')
  const isStale = await expect(`${printDocument(body)}\n`)
    .toMatchFileSnapshot(file)
    .then(
      () => false,
      () => true,
    )
  if (!isStale) return
  if (!before) throw new Error(`${file} is missing: ${RENEW}`)
  const { breaking, harmless } = compareDocuments(before, body)
  if (breaking.length > 0) {
    throw new Error(`This breaks clients:\n  ${breaking.join('\n  ')}\nUndo it; or, if it is meant, ${RENEW}`)
  }
  const lines = harmless.length > 0 ? harmless.join('\n  ') : 'only words differ'
  throw new Error(`This breaks nobody, but test/contract/openapi.json does not know it:\n  ${lines}\nSo ${RENEW}`)
})
const RENEW = 'renew it with `npm test -- test/api/openapi.test.ts -u`.'

test('redocly lint finds nothing', async () => {
  const file = path.join(app.dataDir, 'openapi.json')
  const config = path.join(app.dataDir, 'redocly.yaml')
  const { body } = await app.get('//openapi.json')
  writeFileSync(file, JSON.stringify(body))
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
