import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')

const HEAD = `import { api } from '${root}/src/console/api/client.ts'
const header = { 'Idempotency-Key': '' }
`

/** A POST that does not say to which intent it belongs must not compile; all else must. */
const SOURCES: Record<string, string> = {
  'refused-without-params': `void api.POST('/me/calendar')`,
  'refused-with-body': `void api.POST('/enrollments', { body: { studentId: '', groupId: '' } })`,
  'refused-with-path': `void api.POST('/enrollments/{id}/drop', { params: { path: { id: '' } }, body: {} })`,
  'refused-with-other-header': `void api.POST('/server/backups', { params: { header: {} } })`,
  'clean-with-body': `void api.POST('/enrollments', { params: { header }, body: { studentId: '', groupId: '' } })`,
  'clean-with-path': `void api.POST('/enrollments/{id}/drop', { params: { path: { id: '' }, header }, body: {} })`,
  'clean-without-account': `void api.POST('/auth/forgot-password', { body: { email: '' } })`,
  'clean-patch': `void api.PATCH('/students/{id}', { params: { path: { id: '' } }, body: { phone: null } })`,
}

let folder: string
let refused: string[]

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'institute-posts-'))
  for (const [name, source] of Object.entries(SOURCES)) writeFileSync(path.join(folder, `${name}.ts`), HEAD + source)
  const config = { extends: path.join(root, 'src/console/tsconfig.json'), include: ['*.ts'] }
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config))
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc')
  // The compiler exits with an error when it refuses something, and here it always does.
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, '--noEmit', '--pretty', 'false'], {
    cwd: folder,
    maxBuffer: 1e8,
  }).catch((error: unknown) => error as { stdout: string })
  refused = stdout.split('\n').flatMap((line) => /^(\S+)\(\d+,\d+\): error/.exec(line)?.[1] ?? [])
}, 60_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a POST of the console without an Idempotency-Key does not compile', () => {
  const expected = Object.keys(SOURCES).filter((name) => name.startsWith('refused-'))
  expect([...new Set(refused)].toSorted()).toEqual(expected.map((name) => `${name}.ts`).toSorted())
})
