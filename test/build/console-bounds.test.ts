import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { consoleBounds } from '#kit/console-types.ts'

const file = (name: string) => path.resolve(import.meta.dirname, '../..', name)

test('forms of the console know what the document takes in each field (`npm test -- -u` renews it)', async () => {
  const sources = globSync('{src/console,web-setup}/**/*.{ts,tsx}', { cwd: file('.') }).map((name) =>
    readFileSync(file(name), 'utf8'),
  )
  const names = sources.flatMap((source) => [...source.matchAll(/\bBOUNDS\.(\w+)/g)].map(([, name = '']) => name))
  const bounds = consoleBounds(readFileSync(file('test/contract/openapi.json'), 'utf8'), names)
  await expect(bounds).toMatchFileSnapshot(file('src/console/api/bounds.ts'))
})
