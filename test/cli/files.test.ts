import { mkdirSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { makeBackup } from '#app/backup/make.ts'
import type { Finding } from '#app/server/checks.ts'
import { examine } from '#app/operator/doctor.ts'
import { filesOf } from '#app/data-dir/files.ts'
import { openSqlite } from '#db/database.ts'
import { systemClock } from '#kernel/time/clock.ts'
import { newId } from '#kernel/basics/ids.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { stored, uploaded } from '#kit/files.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { configOf, restoreInto } from './backup-kit.ts'
import { makeFolder } from './folder.ts'
import { institute } from './institute.ts'

const apps: TestApp[] = []
afterAll(async () => {
  for (const one of apps) await one.close()
})

let app: TestApp
let school: TestInstitute
/** Two files, and the path of the first one's bytes. */
let ids: string[]
let first: string
beforeEach(async () => {
  app = await startApp({ now: new Date().toISOString() })
  apps.push(app)
  school = await makeInstitute(app)
  ids = [(await uploaded(app, school.owner)).body.id]
  await app.drain()
  first = objects()[0] as string
  ids.push((await uploaded(app, school.owner)).body.id)
  await app.drain()
})

const objects = (): string[] => {
  const root = path.join(app.dataDir, 'files/objects')
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(root, name))
    .filter((file) => statSync(file).isFile())
}

describe('doctor', () => {
  const finding = async (config = app.app.config): Promise<Finding | undefined> =>
    (await examine(config, systemClock)).find(({ about }) => about === 'files')

  test('finds every file with its record', async () => {
    expect(await finding()).toEqual({ about: 'files', state: 'ok', text: '2, each as its record says' })
  })

  test.each<[what: string, damage: (file: string) => void]>([
    ['whose bytes are gone', (file) => rmSync(file)],
    ['that was cut short', (file) => truncateSync(file, 3)],
  ])('finds a file %s', async (_, damage) => {
    damage(first)
    expect(await finding()).toEqual({
      about: 'files',
      state: 'wrong',
      text: `1 of 2 missing or damaged in the storage: ${ids[0]} (picture.png); a backup may hold them`,
    })
  })

  test('finds bytes without a record, except those that a job is about to remove', async () => {
    await school.owner.delete(`/files/${ids[0]}`)
    expect(await finding()).toMatchObject({ state: 'ok', text: '1, each as its record says' })
    const stray = newId()
    await filesOf(app).put(`objects/${school.tenant.id}/${stray}`, Readable.from([Buffer.from('whose?')]), 6)
    expect(await finding()).toEqual({
      about: 'files',
      state: 'warning',
      text: `1 stored without a record: objects/${school.tenant.id}/${stray}`,
    })
  })

  test('skips the files of a database from an earlier version', async () => {
    const early = makeFolder()
    await institute(['migrate', '--data-dir', early])
    const database = openSqlite(path.join(early, 'institute.db'))
    database.sqlite?.exec(`drop table file; delete from schema_migration where name > '0021'`)
    await database.close()
    expect(await finding(configOf(early))).toMatchObject({
      state: 'warning',
      text: expect.stringContaining('not looked at'),
    })
  })
})

describe('a backup', () => {
  test('holds the files, and restores them; unfinished uploads and temporary files are left out', async () => {
    const pending = await school.owner.post('/files/upload-url', {
      kind: 'document',
      originalName: 'a.csv',
      mimeType: 'text/csv',
      sizeBytes: 4,
    })
    const [, , tenant, id] = new URL(pending.body.uploadUrl).pathname.split('/')
    writeFileSync(path.join(app.dataDir, 'files/.unfinished/half'), 'half')
    const before = await stored(app)
    const { file, missing } = await makeBackup(app.app.config, systemClock)
    expect(missing).toEqual([])
    const folder = makeFolder()
    expect((await restoreInto(folder, file)).missing).toEqual([])
    expect(await stored({ dataDir: folder })).toEqual(before)
    expect(before).not.toContain(`uploads/${tenant}/${id}`)
    expect(readdirSync(path.join(folder, 'files'))).toEqual(['objects'])
    const findings = await examine(configOf(folder), systemClock)
    expect(findings.find(({ about }) => about === 'files')).toMatchObject({ state: 'ok' })
  })

  test('lists a file that its database names but that is missing, and so does its restore', async () => {
    rmSync(first)
    const made = await institute(['backup', '--data-dir', app.dataDir])
    expect(made).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`The file ${ids[0]} (picture.png) is missing in the data directory`),
    })
    const restored = await institute(['restore', made.stdout.trim(), '--data-dir', makeFolder()])
    expect(restored).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`The file ${ids[0]} (picture.png) was missing when the backup was made`),
    })
  })

  test('keeps the bytes of files that are deleted while it runs, until it is done', async () => {
    const making = path.join(app.dataDir, 'backups/.making-now')
    mkdirSync(making, { recursive: true })
    await school.owner.delete(`/files/${ids[0]}`)
    await app.drain()
    expect(await stored(app)).toHaveLength(2)
    rmSync(making, { recursive: true })
    await app.pass(60)
    expect(await stored(app)).toHaveLength(1)
  })
})
