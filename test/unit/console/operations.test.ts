import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import openapi from '../../contract/openapi.json' with { type: 'json' }
import { UNCALLED } from './uncalled.ts'

/** Every operation of the document, as `GET /students/{id}`. */
const OPERATIONS = Object.entries(openapi.paths as Record<string, object>).flatMap(([path, methods]) =>
  Object.keys(methods)
    .filter((method) => /^(?:get|post|put|patch|delete)$/.test(method))
    .map((method) => `${method.toUpperCase()} ${path}`),
)

const SOURCES = globSync(['src/console/**/*.{ts,tsx}', 'web-setup/**/*.{ts,tsx}'])
  .filter((file) => !file.endsWith('contract.d.ts'))
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n')

/** `{id}` and `${student.id}` stand for the same. */
const shapeOf = (path: string): string => path.replaceAll(/\$?\{[^}]*\}/g, '{}').replace(/\?.*$/, '')

/** What the sources call: by the client of the API, by the session, and as the path of a file that is downloaded. */
const calls = new Set(
  [
    ...[...SOURCES.matchAll(/\b(?:api|openApi)\s*\.(GET|POST|PUT|PATCH|DELETE)\(([^,)]+)/g)].flatMap(
      ([, method, paths = '']) => [...paths.matchAll(/['`](\/[^'`]+)['`]/g)].map(([, path = '']) => [method, path]),
    ),
    ...[...SOURCES.matchAll(/\bpost\('(\/[^']+)'/g)].map(([, path = '']) => ['POST', path]),
    ...[...SOURCES.matchAll(/\bask\(`(\/[^`]+)`, \{ method: '(\w+)'/g)].map(([, path = '', method]) => [method, path]),
    ...[...SOURCES.matchAll(/\bputFile\('(\/[^']+)'/g)].map(([, path = '']) => ['PUT', path]),
    ...[
      ...SOURCES.matchAll(/(?:path=\{?|path: |fetchFile\()['`](\/[^'`]+)['`]/g),
      ...SOURCES.matchAll(/['`](\/[^'`]+\/pdf)['`?]/g),
      ...SOURCES.matchAll(/besideApi<[^(]*\('\/api\/v1(\/[^']+)'/g),
    ].map(([, path = '']) => ['GET', path]),
  ].map(([method = '', path = '']) => `${method} ${shapeOf(path)}`),
)

/** Where one call has two paths, a variable may say a word of it: `/${kind}/${id}/account/pdf`, `/invoices/${what}`. */
const isCalled = (operation: string): boolean => {
  const [method = '', path = ''] = operation.split(' ')
  const shape = shapeOf(path)
  const others = [shape.replace(/^\/\w+(?=\/.*\/pdf$)/, '/{}'), shape.replace(/^\/invoices\/\w+$/, '/invoices/{}')]
  return [shape, ...(method === 'GET' || method === 'POST' ? others : [])].some((one) => calls.has(`${method} ${one}`))
}

test('each operation of the document has a page that calls it, or a reason why none does', () => {
  const uncalled = OPERATIONS.filter((operation) => !isCalled(operation))
  const explained = Object.values(UNCALLED).flat()
  expect(
    uncalled.filter((operation) => !explained.includes(operation)),
    'without a page and a reason',
  ).toEqual([])
  expect(
    explained.filter((operation) => !uncalled.includes(operation)),
    'a reason that is no longer needed',
  ).toEqual([])
  expect(new Set(explained).size, 'one reason each').toBe(explained.length)
})
