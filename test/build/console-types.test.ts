import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { consoleTypes } from '#kit/console-types.ts'

const file = (name: string) => path.resolve(import.meta.dirname, '../..', name)

test('the console has the types of the API as its document has them (`npm test -- -u` renews them)', async () => {
  const types = consoleTypes(readFileSync(file('test/contract/openapi.json'), 'utf8'))
  await expect(types).toMatchFileSnapshot(file('src/console/api/contract.d.ts'))
})
