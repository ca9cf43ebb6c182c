import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }

const root = path.resolve(import.meta.dirname, '../..')

test('the changelog, which goes into the package, begins with the version that is packaged', () => {
  const changes = readFileSync(path.join(root, 'installer/CHANGELOG.md'), 'utf8')
  const versions = [...changes.matchAll(/^## (\d+\.\d+\.\d+) \((?:not released yet|\d{4}-\d\d-\d\d)\)$/gm)]
  expect(versions[0]?.[1]).toBe(manifest.version)
  // Only the newest may wait for its release.
  expect(versions.slice(1).filter(([heading]) => heading.includes('not released'))).toEqual([])
  expect(changes.match(/^## /gm)).toHaveLength(versions.length)
})
