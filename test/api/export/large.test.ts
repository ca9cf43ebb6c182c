import { linkSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#kernel/basics/ids.ts'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import { download, jsonIn, unzip } from '#kit/archive.ts'
import { fillInstitute } from '#kit/fill-institute.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { watchMemory } from '#kit/memory.ts'
import { volume } from '#kit/volume.ts'

const MEGABYTE = 1024 * 1024
const FILE_BYTES = 20 * MEGABYTE
/** 240 MB in all, or 1.2 GB: more than what the export may take of memory. */
const FILES = volume(12, 60)
const ROWS_OF_A_TABLE = volume(2500, 5000)
const ROWS = 20 * ROWS_OF_A_TABLE
/** Owners do not ask more often: each time leaves an audit entry. */
const ASK_MILLIS = 100

let app: TestApp
let school: TestInstitute

/** Files of nothing but zeros, which take no room on the disk and shrink to little in the archive. */
const addFiles = async (): Promise<void> => {
  const zeros = path.join(app.dataDir, 'zeros')
  writeFileSync(zeros, '')
  truncateSync(zeros, FILE_BYTES)
  const rows = Array.from({ length: FILES }, (_, n) => ({
    id: newId(),
    tenant_id: school.tenant.id,
    kind: 'document' as const,
    original_name: `${n}.csv`,
    mime_type: 'text/csv',
    size_bytes: FILE_BYTES,
    sha256: 'unknown',
    upload_name: newId(),
    object_name: newId(),
    created_at: app.clock.now(),
    updated_at: app.clock.now(),
  }))
  for (const { object_name: name } of rows) {
    const folder = path.join(app.dataDir, 'files/objects', school.tenant.id, name.slice(-2))
    mkdirSync(folder, { recursive: true })
    linkSync(zeros, path.join(folder, name))
  }
  const { schema } = app.app.database
  await schema.deleteFrom('file').execute()
  await schema.insertInto('file').values(rows).execute()
}

beforeAll(async () => {
  app = await startApp({ config: { ...NO_LIMITS, accessTokenSeconds: 86_400 } })
  school = await makeInstitute(app)
  const size = { students: 4 * ROWS_OF_A_TABLE, others: ROWS_OF_A_TABLE, branchIds: [school.branchId] }
  await fillInstitute(app, school, size)
  await addFiles()
}, 240_000)
afterAll(() => app.close())

test(
  `an export of over ${ROWS} rows and ${FILES} files of 20 MB takes little memory, and requests are answered beside it`,
  { timeout: 300_000 },
  async () => {
    // The first export loads what every other one uses again.
    const small = await makeInstitute(app)
    await small.owner.post('/export')
    await app.drain()
    await school.owner.post('/export')
    const memory = watchMemory()
    const made = app.drain()
    const seen = new Set<number>()
    const ask = async (): Promise<string> => {
      const { body } = await school.owner.post('/export')
      if (body.status === 'running') seen.add(body.progress)
      expect((await school.owner.get('/students?limit=25')).status).toBe(200)
      await pause(ASK_MILLIS)
      return body.status
    }
    while (['queued', 'running'].includes(await ask()));
    await made
    const grown = memory.end()
    const { body } = await school.owner.post('/export')
    expect(body).toMatchObject({ status: 'done', progress: 100 })
    expect([...seen]).toEqual([...seen].toSorted((one, other) => one - other))
    expect(seen.size).toBeGreaterThan(2)
    expect(grown / MEGABYTE).toBeLessThan(200)

    const archive = Buffer.from(await (await download(app, body.downloadUrl)).arrayBuffer())
    expect(archive.length).toBe(body.sizeBytes)
    const manifest = jsonIn(await unzip(archive, 'manifest.json'), 'manifest.json')
    const counts = Object.values<{ rows: number }>(manifest.tables).map(({ rows }) => rows)
    expect(counts.reduce((sum, rows) => sum + rows, 0)).toBeGreaterThan(ROWS)
    const files = manifest.entries.filter((entry: { path: string }) => entry.path.startsWith('files/'))
    expect(files).toHaveLength(FILES)
    expect(files.every((entry: { bytes: number }) => entry.bytes === FILE_BYTES)).toBe(true)
  },
)
