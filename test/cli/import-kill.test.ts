import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openSqlite } from '#db/database.ts'
import { client, type Client } from '#kit/client.ts'
import { announced, sha256 } from '#kit/files.ts'
import { newSetup, OWNER, setupTokenIn } from '#kit/setup.ts'
import { startProgram } from './institute.ts'

/** The program is killed with SIGKILL in the middle of an import, again and again, and started again. */

const ROWS = 2000
const KILLS = 3

const TABLE = [
  'Name,Phone,Mother name,Mother phone',
  ...Array.from({ length: ROWS }, (_, at) => {
    const number = String(at).padStart(5, '0')
    // Each tenth row is refused.
    return `Kept K${number},${at % 10 === 9 ? '12' : `05011${number}`},Ruth R${number},05211${number}`
  }),
].join('\r\n')

const signIn = async (api: Client): Promise<Client> => {
  const { email, password } = OWNER
  const { body } = await api.post('/auth/login', { email, password, client: 'mobile' })
  return api.as(body.accessToken)
}

const uploadTable = async (url: string, owner: Client): Promise<string> => {
  const bytes = Buffer.from(TABLE)
  const body = announced(bytes, { originalName: 'list.csv', mimeType: 'text/csv' })
  const { uploadUrl, storageKey } = (await owner.post('/files/upload-url', body)).body
  const { pathname, search } = new URL(uploadUrl)
  const headers = { 'content-type': body.mimeType }
  await fetch(new URL(pathname + search, url), { method: 'PUT', body: bytes, headers })
  return (await owner.post('/files/complete', { ...body, storageKey, sha256: sha256(bytes) })).body.id
}

/** How often each record has an audit entry of its import, and an event. */
const traces = async (dataDir: string) => {
  const { read, close } = openSqlite(path.join(dataDir, 'institute.db'))
  try {
    const students = await read.selectFrom('student').select(['id', 'first_name', 'last_name']).execute()
    const guardians = await read.selectFrom('guardian').select('phone').execute()
    const events = await read.selectFrom('event').select('body').where('type', '=', 'student.created').execute()
    const entries = await read
      .selectFrom('audit_entry')
      .select(['entity_type', 'entity_id'])
      .where('action', '=', 'imports.run')
      .where('entity_type', 'in', ['student', 'guardian'])
      .execute()
    return {
      students: students.map(({ last_name: name }) => name).toSorted(),
      guardians: guardians.map(({ phone }) => phone).toSorted(),
      audited: entries.map(({ entity_type: type, entity_id: id }) => `${type} ${id}`),
      announced: events.map(({ body }) => JSON.parse(body).data.studentId as string).toSorted(),
      ids: students.map(({ id }) => id).toSorted(),
    }
  } finally {
    await close()
  }
}

test(
  'every row is written once, with one audit entry and one event for each record',
  { timeout: 120_000 },
  async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'institute-import-'))
    let program = await startProgram(dataDir)
    const { body } = await client(program.url as string).post('/setup/bootstrap', newSetup(setupTokenIn(dataDir)))
    let owner = client(program.url as string).as(body.accessToken)
    const fileId = await uploadTable(program.url as string, owner)
    const { id } = (await owner.post('/imports', { kind: 'students', fileId })).body
    const standing = async () => (await owner.get(`/imports/${id}`)).body
    let before = 0
    for (let kill = 0; kill < KILLS; kill += 1) {
      const target = before + 150
      await expect
        .poll(async () => (await standing()).created, { timeout: 30_000, interval: 100 })
        .toBeGreaterThan(target)
      await program.stop('SIGKILL')
      program = await startProgram(dataDir)
      owner = await signIn(client(program.url as string))
      const { status, created } = await standing()
      expect(status).toBe('running')
      expect(created).toBeGreaterThan(before)
      before = created
    }
    await expect.poll(async () => (await standing()).status, { timeout: 60_000, interval: 200 }).toBe('done')
    expect(await standing()).toMatchObject({ rows: ROWS, created: ROWS * 0.9, unchanged: 0, refused: ROWS / 10 })
    await program.stop('SIGTERM')
    const { students, guardians, audited, announced: events, ids } = await traces(dataDir)
    expect([students.length, new Set(students).size]).toEqual([ROWS * 0.9, ROWS * 0.9])
    expect([guardians.length, new Set(guardians).size]).toEqual([ROWS * 0.9, ROWS * 0.9])
    expect([audited.length, new Set(audited).size]).toEqual([ROWS * 1.8, ROWS * 1.8])
    expect(events).toEqual(ids)
  },
)
