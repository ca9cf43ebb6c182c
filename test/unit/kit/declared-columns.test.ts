import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSqlite, type Database } from '#db/database.ts'
import { migrate } from '#db/steps/migrate.ts'
import { migrations } from '#migrations'
import { databaseFolder } from '#kit/database-folder.ts'
import { declaredColumns, differencesTo } from '#kit/declared-columns.ts'

let folder: string
let database: Database
beforeEach(async () => {
  folder = mkdtempSync(path.join(databaseFolder(), 'columns-'))
  database = openSqlite(path.join(folder, 'institute.db'))
  await migrate(database, migrations)
})
afterEach(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

test('the steps make every column that a module declares, and no other', async () => {
  expect(declaredColumns().size).toBeGreaterThan(60)
  expect(await differencesTo(database)).toEqual([])
})

test('every table is declared in a file tables.ts, where they are looked for', () => {
  const declaring = globSync('src/**/*.ts').filter((file) =>
    readFileSync(file, 'utf8').includes("declare module '#kernel/contract/tables.ts' {"),
  )
  expect(declaring.filter((file) => path.basename(file) !== 'tables.ts')).toEqual([])
})

test('a step that was forgotten, and a declaration that was forgotten, are each named', async () => {
  await database.schema.schema.alterTable('course').dropColumn('language').execute()
  await database.schema.schema.alterTable('course').addColumn('nickname', 'text').execute()
  expect(await differencesTo(database)).toEqual([
    'Table course has no column language: is there a step, and is it in migrations/index.ts?',
    'The column nickname of table course is not declared: it belongs in the module’s tables.ts.',
  ])
})
