import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const imports = 'eslint(no-restricted-imports)'

/** Sources that break one rule each: the file, its source, and the rule that must refuse it. */
const plants: [file: string, source: string, rule: string][] = [
  // Which folder may import which.
  ['src/kernel/plant-db.ts', `import '#db/dialect.ts'`, imports],
  ['src/kernel/plant-climb.ts', `import '../db/dialect.ts'`, imports],
  ['src/kernel/plant-library.ts', `import 'p-queue'`, imports],
  ['src/kernel/plant-node.ts', `import 'node:fs'`, imports],
  ['src/db/plant-runtime.ts', `import '#runtime/queue/queue.ts'`, imports],
  ['src/runtime/plant-http.ts', `import '#http/server/server.ts'`, imports],
  ['src/runtime/plant-module.ts', `import '#modules/billing/index.ts'`, imports],
  ['src/runtime/plant-port.ts', `import '#ports/mail/port.ts'`, imports],
  ['src/executable/plant-runtime.ts', `import '#runtime/queue/queue.ts'`, imports],
  ['src/ports/files/plant-runtime.ts', `import '#runtime/queue/queue.ts'`, imports],
  ['src/widget/plant-kernel.ts', `import '#kernel/values/money.ts'`, imports],
  ['src/widget/plant-library.ts', `import 'valibot'`, imports],
  ['src/ports/mail/plant-runtime.ts', `import '#runtime/queue/queue.ts'`, imports],
  ['src/ports/mail/plant-other-port.ts', `import '../outbound/port.ts'`, imports],
  ['src/http/plant-db.ts', `import '#db/dialect.ts'`, imports],
  ['src/http/plant-module.ts', `import '#modules/billing/index.ts'`, imports],
  ['src/http/plant-adapter.ts', `import '#ports/limits/memory.ts'`, imports],
  ['src/modules/billing/plant-http.ts', `import '#http/server/server.ts'`, imports],
  ['src/modules/billing/plant-db.ts', `import '#db/sqlite/sqlite.ts'`, imports],
  ['src/modules/billing/plant-adapter.ts', `import '#ports/mail/smtp.ts'`, imports],
  ['src/modules/billing/plant-inside.ts', `import '#modules/people/tables.ts'`, imports],
  ['src/modules/billing/plant-climb.ts', `import '../people/index.ts'`, imports],
  ['src/modules/billing/invoices/plant-climb.ts', `import '../../people/index.ts'`, imports],
  ['src/modules/billing/plant-app.ts', `import '#app/config/config.ts'`, imports],
  ['src/modules/billing/plant-dynamic.ts', `export const load = () => import('#app/config/config.ts')`, imports],
  ['src/app/plant-commands.ts', `import '../commands/serve.ts'`, imports],
  ['src/app/config/plant-up.ts', `import '#app/data-dir/layout.ts'`, 'institute(rooms)'],
  [
    'src/app/process/plant-beside.ts',
    `export { readingThread } from '#app/threads/reading-thread.ts'`,
    'institute(rooms)',
  ],
  ['src/app/plant-operator.ts', `import './operator/doctor.ts'`, 'institute(rooms)'],
  ['src/app/backup/plant-root.ts', `import type { App } from '../compose.ts'\nexport type A = App`, 'institute(rooms)'],
  ['src/kernel/values/plant-up.ts', `import '#kernel/contract/endpoint.ts'`, 'institute(rooms)'],
  ['src/runtime/change/plant-up.ts', `import '#runtime/queue/queue.ts'`, 'institute(rooms)'],
  ['src/http/bodies/plant-up.ts', `import '#http/pipeline.ts'`, 'institute(rooms)'],
  ['src/http/plant-server.ts', `import './server/server.ts'`, 'institute(rooms)'],
  ['src/app/nowhere/plant-unnamed.ts', `import '#app/config/config.ts'`, 'institute(rooms)'],
  ['src/app/pages/plant-console.ts', `import '../../console/words/format.ts'`, imports],
  [
    'src/console/screens/week/plant-isolate.tsx',
    `import { isolate } from '../../../shared/isolate.ts'\nexport const x = isolate('a')`,
    'institute(isolation)',
  ],
  ['src/console/screens/week/plant-beside.tsx', `import '../today/page.tsx'`, 'institute(rooms)'],
  ['src/console/screens/week/plant-lazy.tsx', `export const l = () => import('../today/page.tsx')`, 'institute(rooms)'],
  ['src/console/screens/week/plant-root.tsx', `import '../../routes.tsx'`, 'institute(rooms)'],
  ['src/console/screens/plant-loose.tsx', `import '../parts/page.tsx'`, 'institute(rooms)'],
  ['src/console/records/group/plant-screen.tsx', `import '../../screens/week/page.tsx'`, 'institute(rooms)'],
  ['src/console/records/group/plant-beside.ts', `import '../student/reads.ts'`, 'institute(rooms)'],
  ['src/console/records/session/plant-up.ts', `export * from '../group/reads.ts'`, 'institute(rooms)'],
  ['src/console/records/fee/plant-beside.ts', `import '../course/reads.ts'`, 'institute(rooms)'],
  [
    'src/console/screens/week/plant-tried.tsx',
    `import { useState } from 'react'\nexport const useTried = () => {\n  const [isTried, setTried] = useState(false)\n  return { isTried, setTried }\n}`,
    'institute(one-form)',
  ],
  [
    'src/console/records/group/plant-issues.ts',
    `import type { Problem } from '../../api/problem.ts'\nexport const isWrong = (problem: Problem) => problem.issues.some(({ path }) => path[0] === 'name')`,
    'institute(one-form)',
  ],
  [
    'src/console/screens/week/plant-caught.ts',
    `export const send = (change: { mutateAsync: () => Promise<void> }) => change.mutateAsync().catch(() => undefined)`,
    'institute(one-form)',
  ],
  ['src/console/shell/plant-screen.tsx', `import '../screens/today/page.tsx'`, 'institute(rooms)'],
  ['src/console/shell/plant-record.tsx', `import '../records/group/row.tsx'`, 'institute(rooms)'],
  [
    'src/console/parts/plant-shell.ts',
    `import type { useMe } from '../shell/me.tsx'\nexport type Me = ReturnType<typeof useMe>`,
    'institute(rooms)',
  ],
  ['src/console/words/plant-parts.ts', `import '../parts/icon.tsx'`, 'institute(rooms)'],
  ['src/console/api/plant-words.ts', `import '../words/locale.ts'`, 'institute(rooms)'],
  ['src/console/nowhere/plant-unnamed.ts', `import '../api/client.ts'`, 'institute(rooms)'],
  ['src/commands/plant-runtime.ts', `import '#runtime/queue/queue.ts'`, imports],
  ['migrations/plant-runtime.ts', `import '#runtime/queue/queue.ts'`, imports],

  // Each library may be imported in one place only.
  ['src/app/plant-koa.ts', `import 'koa'`, imports],
  ['src/app/plant-router.ts', `import '@koa/router'`, imports],
  ['src/runtime/plant-sqlite.ts', `import 'better-sqlite3'`, imports],
  ['src/runtime/plant-pg.ts', `export type { Pool } from 'pg'`, imports],
  ['src/modules/billing/plant-argon2.ts', `import 'argon2'`, imports],
  ['src/ports/outbound/plant-nodemailer.ts', `import 'nodemailer/lib/addressparser'`, imports],
  ['src/ports/mail/plant-undici.ts', `import 'undici'`, imports],
  ['src/ports/mail/plant-argon2.ts', `import 'argon2'`, imports],
  ['src/modules/billing/plant-sql.ts', `export { sql } from 'kysely'`, imports],
  ['src/runtime/plant-sql.ts', `import { sql } from 'kysely'\nexport const one = sql\`1\``, imports],

  // Only its owner writes to a table.
  [
    'src/modules/billing/plant-foreign-insert.ts',
    `export const f = (db: { insertInto(table: string): void }) => db.insertInto('student')`,
    'institute(table-owner)',
  ],
  [
    'src/modules/billing/invoices/plant-foreign-update.ts',
    `export const f = (db: { updateTable(table: string): void }) => db.updateTable('student as s')`,
    'institute(table-owner)',
  ],
  [
    'src/runtime/plant-foreign-delete.ts',
    `export const f = (db: { deleteFrom(table: string): void }) => db.deleteFrom('invoice')`,
    'institute(table-owner)',
  ],
  [
    'src/modules/billing/plant-foreign-record.ts',
    `import { recordOf } from '#runtime/records/records.ts'\nexport const record = recordOf('student', { show: ({ id }) => ({ id }) })`,
    'institute(table-owner)',
  ],
  [
    'src/modules/billing/plant-no-owner.ts',
    `export const f = (db: { deleteFrom(table: string): void }) => db.deleteFrom('nobodys')`,
    'institute(table-owner)',
  ],

  // A module declares the tables of others that it reads.
  [
    'src/modules/billing/plant-read.ts',
    `export const f = (db: { selectFrom(table: string): void }) => db.selectFrom('guardian')`,
    'institute(declared-reads)',
  ],
  [
    'src/modules/billing/invoices/plant-read-join.ts',
    `export const f = (db: { innerJoin(table: string): void }) => db.innerJoin('guardian as g')`,
    'institute(declared-reads)',
  ],
  [
    'src/modules/billing/plant-read-several.ts',
    `export const f = (db: { selectFrom(tables: string[]): void }) => db.selectFrom(['invoice', 'guardian'])`,
    'institute(declared-reads)',
  ],
  [
    'src/modules/billing/plant-read-nested.ts',
    `export const f = (db: { where(of: unknown): void; selectFrom(table: string): void }) => db.where(db.selectFrom('guardian'))`,
    'institute(declared-reads)',
  ],
  [
    'src/modules/billing/plant-read-lookup.ts',
    `import { lockReferenced } from '#runtime/records/records.ts'\nexport const f = (tx: Parameters<typeof lockReferenced>[0]) => lockReferenced(tx, 'guardian', '1')`,
    'institute(declared-reads)',
  ],
  [
    'src/modules/billing/plant-read-hidden.ts',
    `export const f = (db: { selectFrom(table: string): void }, table: string) => db.selectFrom(table)`,
    'institute(declared-reads)',
  ],
  [
    'src/runtime/plant-read.ts',
    `export const f = (db: { selectFrom(table: string): void }) => db.selectFrom('guardian')`,
    'institute(declared-reads)',
  ],
  [
    'src/modules/idle-reader/index.ts',
    `export const module = { name: 'idle-reader', reads: { people: ['student'] } }`,
    'institute(declared-reads)',
  ],
  [
    'src/modules/wrong-owner/index.ts',
    `export const module = { name: 'wrong-owner', reads: { billing: ['student'] } }\nexport const f = (db: { selectFrom(table: string): void }) => db.selectFrom('student')`,
    'institute(declared-reads)',
  ],

  // No code decides by the name of a language.
  ['src/modules/billing/plant-language.ts', `export const x = (y: string) => y === 'en'`, 'institute(locales)'],
  [
    'src/modules/billing/words/plant-isolates.ts',
    `export const name = (x: string) => \`\\u2068\${x}\\u2069\``,
    'institute(isolation)',
  ],
  ['src/widget/plant-language.ts', `export const x = (locale: string) => 'he' !== locale`, 'institute(locales)'],

  // Few files may use rows of all institutes.
  [
    'src/modules/billing/plant-unscoped-type.ts',
    `import type { SystemDb } from '#kernel/contract/tables.ts'\nexport type Db = SystemDb`,
    'institute(unscoped)',
  ],
  [
    'src/modules/billing/plant-unscoped-member.ts',
    `export const f = (tx: { everywhere: number }) => tx.everywhere`,
    'institute(unscoped)',
  ],
  [
    'src/modules/billing/plant-unscoped-pattern.ts',
    `export const f = ({ everywhere: db }: { everywhere: number }) => db`,
    'institute(unscoped)',
  ],
  [
    'src/modules/billing/plant-sweep.ts',
    `export const f = (tx: { everywhere: number }) => tx.everywhere`,
    'Rows of every institute are out of reach here: name one, by inTenant. A sweep of all is listed in .oxlintrc.json.',
  ],

  // Rules for all files.
  ['src/runtime/plant-circle.ts', `import './plant-circle-back.ts'`, 'import(no-cycle)'],
  ['src/runtime/plant-circle-back.ts', `import '#runtime/plant-circle.ts'`, 'import(no-cycle)'],
  ['src/kernel/plant-type-circle.ts', `export type { Back } from './plant-type-circle-back.ts'`, 'import(no-cycle)'],
  [
    'src/kernel/plant-type-circle-back.ts',
    `import type * as forth from './plant-type-circle.ts'\nexport type Back = typeof forth`,
    'import(no-cycle)',
  ],
  ['src/runtime/plant-env.ts', `export const home = process.env['HOME']`, 'node(no-process-env)'],
  ['src/runtime/plant-top-level.ts', `await Promise.resolve()`, 'node(no-top-level-await)'],
  ['src/runtime/plant-console.ts', `console.log('here')`, 'eslint(no-console)'],
  ['src/runtime/plant-default.ts', `export default 1`, 'import(no-default-export)'],
  ['src/runtime/plant-any.ts', `export const x = (y: any): unknown => y`, 'typescript(no-explicit-any)'],
  ['src/runtime/plant-silence.ts', `// @ts-ignore\nexport const x: string = 1`, 'typescript(ban-ts-comment)'],

  [
    'src/runtime/plant-type.ts',
    `import { P } from './audit-context.ts'\nexport type Q = P`,
    'typescript(consistent-type-imports)',
  ],
  ['src/runtime/plant-bang.ts', `export const x = (y?: string) => y!`, 'typescript(no-non-null-assertion)'],
  ['src/runtime/plant-builtin.ts', `import 'fs'`, 'unicorn(prefer-node-protocol)'],
  ['src/runtime/plant-todo.ts', `// TODO: later`, 'eslint(no-warning-comments)'],
  ['src/runtime/plant-equal.ts', `export const x = (y: unknown) => y == 1`, 'eslint(eqeqeq)'],
  ['src/runtime/plant-var.ts', `export var x = 1`, 'eslint(no-var)'],
  ['src/runtime/plant-let.ts', `let x = 1\nexport { x }`, 'eslint(prefer-const)'],
  ['src/runtime/plant-param.ts', `export const x = (y: number) => (y = 2)`, 'eslint(no-param-reassign)'],
  [
    'src/runtime/plant-else.ts',
    `export function f(x: boolean) { if (x) return 1\nelse return 2 }`,
    'eslint(no-else-return)',
  ],

  // Rules that need type information.
  ['src/runtime/plant-throw.ts', `export const f = () => { throw 'no' }`, 'typescript(only-throw-error)'],
  [
    'src/runtime/plant-reject.ts',
    `export const f = () => Promise.reject('no')`,
    'typescript(prefer-promise-reject-errors)',
  ],
  [
    'src/runtime/plant-catch.ts',
    `export const f = (p: Promise<void>) => p.catch((e) => e)`,
    'typescript(use-unknown-in-catch-callback-variable)',
  ],
  [
    'src/runtime/plant-return.ts',
    `export async function f(p: Promise<number>) {\n  try {\n    return p\n  } catch {\n    return 1\n  }\n}`,
    'typescript(return-await)',
  ],
  ['src/runtime/plant-floating.ts', `Promise.resolve()`, 'typescript(no-floating-promises)'],
  [
    'src/runtime/plant-misused.ts',
    `export const wait = (done: Promise<void>): number => (done ? 1 : 2)`,
    'typescript(no-misused-promises)',
  ],
  [
    'src/runtime/plant-thenable.ts',
    `export const two = async (): Promise<number> => await 2`,
    'typescript(await-thenable)',
  ],
  [
    'src/runtime/plant-switch.ts',
    `export function f(x: 'a' | 'b'): number {\n  switch (x) {\n    case 'a':\n      return 1\n  }\n  return 2\n}`,
    'typescript(switch-exhaustiveness-check)',
  ],
]

/** Sources that break no rule: they show that a rule does not refuse everything. */
const clean: [file: string, source: string][] = [
  [
    'src/kernel/contract/plant-clean.ts',
    `import 'valibot'\nimport 'uuid'\nimport './endpoint.ts'\nimport '#kernel/values/money.ts'`,
  ],
  ['src/kernel/values/plant-clean.ts', `import '#kernel/time/clock.ts'`],
  [
    'src/db/clean.ts',
    `import 'better-sqlite3'\nimport 'pg'\nimport '#kernel/time/clock.ts'\nexport { sql } from 'kysely'`,
  ],
  ['src/runtime/clean.ts', `import { Kysely } from 'kysely'\nimport '#db/scope/scope.ts'\nexport const k = Kysely`],
  ['src/ports/passwords/clean.ts', `import 'argon2'\nimport '#kernel/values/errors.ts'\nimport './port.ts'`],
  ['src/ports/mail/clean.ts', `import 'nodemailer'\nimport 'nodemailer/lib/addressparser'`],
  ['src/ports/outbound/clean.ts', `import 'undici'\nimport 'ipaddr.js'`],
  [
    'src/http/clean.ts',
    `import 'koa'\nimport '@koa/router'\nimport '#runtime/queue/queue.ts'\nimport '#ports/limits/port.ts'`,
  ],
  [
    'src/modules/billing/clean.ts',
    `import '#runtime/queue/queue.ts'\nimport '#db/dialect.ts'\nimport '#ports/mail/port.ts'\nimport '#modules/people/index.ts'\nimport './tables.ts'`,
  ],
  ['src/modules/members/summaries.ts', `export const f = (tx: { everywhere: number }) => tx.everywhere`],
  ['src/modules/billing/invoices/clean.ts', `import '../tables.ts'\nimport '../payments/tables.ts'`],
  [
    'src/modules/billing/clean-write.ts',
    `export const f = (db: { deleteFrom(table: string): void }) => db.deleteFrom('invoice')`,
  ],
  ['src/modules/billing/index.ts', `export const module = { name: 'billing', reads: { people: ['student'] } }`],
  [
    'src/modules/billing/clean-read.ts',
    `export const f = (db: { selectFrom(table: string): void }) => [db.selectFrom('student'), db.selectFrom('invoice')]`,
  ],
  ['src/db/clean-claim.ts', `export const f = (db: { updateTable(table: string): void }) => db.updateTable('job')`],
  [
    'src/app/clean.ts',
    `import '#http/server/server.ts'\nimport '#ports/mail/smtp.ts'\nimport '#db/sqlite/sqlite.ts'\nimport '#migrations'`,
  ],
  ['src/app/operator/clean.ts', `import '#app/compose.ts'\nimport '#app/backup/make.ts'`],
  ['src/app/config/read-config.ts', `export const home = process.env['HOME']`],
  ['src/app/pages/clean-map.ts', `import '../../console/map.ts'`],
  ['src/console/clean.tsx', `import './screens/today/page.tsx'\nimport './map.ts'`],
  ['src/console/screens/week/clean.tsx', `import './grid.tsx'\nimport '../../records/group/row.tsx'`],
  ['src/console/records/enrollment/clean.ts', `import '../group/reads.ts'\nimport '../../shell/me.tsx'`],
  ['src/console/shell/clean.ts', `import '../map.ts'\nimport './sign-in/page.tsx'\nimport '../parts/page.tsx'`],
  ['src/console/words/clean.ts', `import type { Code } from '../api/contract.d.ts'\nexport type C = Code`],
  ['src/commands/clean.ts', `import '#app/compose.ts'\nconsole.log('0.1.0')`],
  ['src/main.ts', `import './commands/clean.ts'`],
  ['test/clean.test.ts', `import '#ports/mail/smtp.ts'\nexport const x = (y?: string) => y!`],
  ['src/widget/clean.ts', `import './form.ts'`],
  ['migrations/clean.ts', `import '#db/schema-kit.ts'\nexport { sql } from 'kysely'`],
]

/** The lint rules, and the files from which they learn the owners of tables. */
const COPIED = [
  '.oxlintrc.json',
  'package.json',
  'tsconfig.json',
  'build/lint/institute.mjs',
  'build/lint/locales.mjs',
  'build/lint/rooms.mjs',
  'build/lint/tables.mjs',
  'src/shared/locale.ts',
  'src/modules/people/tables.ts',
  'src/modules/billing/tables.ts',
  'src/runtime/change/tables.ts',
]

let folder: string
let refusals: Map<string, string[]>

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'institute-lint-'))
  for (const name of COPIED) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    copyFileSync(path.join(root, name), path.join(folder, name))
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  for (const [file, source] of [...plants, ...clean]) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    writeFileSync(path.join(folder, file), `${source}\n`)
  }
  refusals = await lint(folder)
}, 60_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the linter refuses', () => {
  test.for(plants)('%s: %s', ([file, , rule]) => {
    expect(refusals.get(file)).toContain(rule)
  })
})

describe('the linter lets pass', () => {
  test.for(clean)('%s', ([file]) => {
    expect(refusals.get(file)).toBeUndefined()
  })
})

/** Returns the rules that each file breaks, and what it is told of them. */
async function lint(cwd: string): Promise<Map<string, string[]>> {
  const oxlint = path.join(root, 'node_modules/oxlint/bin/oxlint')
  const args = [oxlint, '--type-aware', '--format=json', 'src', 'migrations', 'test']
  // The linter exits with 1 when it refuses something, and here it always does.
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd, maxBuffer: 1e8 }).catch(
    (error: unknown) => error as { stdout: string },
  )
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { filename: string; code: string; message: string }[]
  }
  const byFile = Map.groupBy(diagnostics, ({ filename }) => filename)
  return new Map([...byFile].map(([file, found]) => [file, found.flatMap(({ code, message }) => [code, message])]))
}
