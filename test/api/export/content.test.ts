import { createHash } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exportedColumns, exportedTables } from '#app/export/plan.ts'
import { isSecretName } from '#runtime/change/redact.ts'
import { engine, startApp, type TestApp } from '#kit/app.ts'
import { exportOf, jsonIn, readCsv, type Entries } from '#kit/archive.ts'
import { worldOf } from '#kit/examples.ts'
import { fillInstitute } from '#kit/fill-institute.ts'
import { png, uploaded } from '#kit/files.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newStudent } from '../examples/people.ts'

const NAMES = ['=1+2', '+972', '-5', '@sum', 'a "quoted", one', 'ليان', 'נועה', 'Zoë 👩‍🏫', "'=already"]
/** In every secret column, and nowhere else. */
const PLANTED = 'planted-7f3a9c'

let app: TestApp
let school: TestInstitute
let other: TestInstitute
let entries: Entries
let fileId: string
let fileHash: string

/** Every table that an export contains, with its columns in the database. */
const tables = async () => {
  const found = await app.app.database.schema.introspection.getTables()
  return exportedTables(app.app.runtime.rules).map((table) => ({
    table,
    columns: found.find(({ name }) => name === table.name)?.columns ?? [],
  }))
}

const rowsOf = (table: string): Promise<Record<string, unknown>[]> =>
  // oxlint-disable-next-line typescript/no-explicit-any -- any table, by its name
  (app.app.database.read as any).selectFrom(table).selectAll().where('tenant_id', '=', school.tenant.id).execute()

/** Writes past the program. */
const plantSecrets = async (): Promise<void> => {
  const { schema } = app.app.database
  await school.owner.post('/api-keys', { name: 'Key', kind: 'secret', permissions: ['students.read'] })
  await school.owner.post('/webhooks', { url: 'https://example.org/hook', events: ['student.created'] })
  await school.owner.post('/members', { email: 'new@example.org', roles: [{ roleId: school.roles.admin }] })
  for (const { table, columns } of await tables()) {
    const names = columns.map(({ name }) => name)
    const left = names.filter((name) => !exportedColumns(table, names).includes(name) && isSecretName(name))
    const hidden = table.name === 'user' ? ['password_hash'] : [...left, ...table.secrets]
    for (const column of hidden) {
      // oxlint-disable-next-line typescript/no-explicit-any
      await (schema as any)
        .updateTable(table.name)
        .set({ [column]: `${PLANTED}-${table.name}-${column}` })
        .execute()
    }
  }
  const captcha = { provider: 'turnstile' as const, sealedSecret: PLANTED }
  await schema
    .updateTable('tenant')
    .set({ settings: { registration: { captcha } } })
    .execute()
}

beforeAll(async () => {
  app = await startApp()
  school = await makeInstitute(app)
  other = await makeInstitute(app)
  const world = worldOf(app, school)
  await fillInstitute(app, school, { students: 450, others: 450, branchIds: [school.branchId] })
  // What the files of the fill name was never stored.
  await app.app.database.schema.deleteFrom('file').execute()
  for (const lastName of NAMES) {
    const reply = await school.owner.post('/students', { branchId: school.branchId, firstName: 'A', lastName })
    if (reply.status !== 201) throw new Error(`${lastName} is refused: ${JSON.stringify(reply.body)}`)
  }
  await newStudent(worldOf(app, other))
  const { body } = await uploaded(app, school.owner, {
    originalName: 'תעודה\u202Egnp.exe.png',
    entityType: 'student',
    entityId: await newStudent(world),
  })
  fileId = body.id
  fileHash = body.sha256
  await plantSecrets()
  entries = await exportOf(app, school.owner)
}, 120_000)
afterAll(() => app.close())

describe('the archive', () => {
  test('has every table of the institute twice, its files, a manifest and a README, and nothing else', async () => {
    const names = exportedTables(app.app.runtime.rules).map(({ name }) => name)
    for (const [name, rule] of Object.entries(app.app.runtime.rules)) {
      expect(names.includes(name), name).toBe(
        rule.kind === 'tenant' || rule.kind === 'self' || ['user', 'event'].includes(name),
      )
    }
    expect([...entries.keys()]).toEqual([
      'README.txt',
      ...names.flatMap((name) => [`csv/${name}.csv`, `json/${name}.json`]),
      expect.stringMatching(`^files/${fileId}-`),
      'manifest.json',
    ])
  })

  test('has each row of the institute as it is in the database, without loss, and none of another institute', async () => {
    for (const { table, columns } of await tables()) {
      if (table.rows && 'tenantColumn' in table.rows && table.rows.tenantColumn !== 'tenant_id') continue
      if (table.name === 'user' || table.name === 'export' || table.name === 'audit_entry') continue
      const names = exportedColumns(
        table,
        columns.map(({ name }) => name),
      )
      const inDatabase = (await rowsOf(table.name)).map((row) =>
        Object.fromEntries(names.map((name) => [name, row[name]])),
      )
      const sorted = (rows: object[]): string[] => rows.map((row) => JSON.stringify(row)).toSorted()
      expect(sorted(jsonIn(entries, `json/${table.name}.json`)), table.name).toEqual(sorted(inDatabase))
    }
    const text = Buffer.concat([...entries.values()]).toString()
    expect(text).not.toContain(other.tenant.id)
    expect(text).not.toContain(other.branchId)
  })

  test('has the same rows in CSV: the numbers plain, the texts quoted, what is no value empty', () => {
    for (const name of [...entries.keys()].filter((entry) => entry.startsWith('json/'))) {
      const table = name.slice(5, -5)
      const rows = jsonIn(entries, name) as Record<string, unknown>[]
      const [header, ...lines] = readCsv(entries.get(`csv/${table}.csv`))
      expect(lines, table).toHaveLength(rows.length)
      if (rows[0]) expect(header, table).toEqual(Object.keys(rows[0]))
      for (const [index, row] of rows.entries()) {
        const cells = Object.values(row).map((value) => {
          if (value === null) return null
          if (typeof value !== 'string') return JSON.stringify(value)
          return /^[=+\-@\t\r＝＋－＠]/.test(value) ? `'${value}` : value
        })
        expect(lines[index], table).toEqual(cells)
      }
    }
  })

  test('defuses formulas in CSV alone', () => {
    const names = (jsonIn(entries, 'json/student.json') as { last_name: string }[]).map((row) => row.last_name)
    expect(names).toEqual(expect.arrayContaining(NAMES))
    const cells = readCsv(entries.get('csv/student.csv')).flat()
    for (const formula of ['=1+2', '+972', '-5', '@sum']) {
      expect(cells).toContain(`'${formula}`)
      expect(cells).not.toContain(formula)
    }
  })

  test('has money that sums up to what the database says', async () => {
    const { read } = app.app.database
    const inTenant = read.selectFrom('payment').where('tenant_id', '=', school.tenant.id)
    const { paid } = await inTenant
      .select((eb) => eb.fn.sum<number>('amount_minor').as('paid'))
      .executeTakeFirstOrThrow()
    const { total } = await read
      .selectFrom('invoice')
      .where('tenant_id', '=', school.tenant.id)
      .select((eb) => eb.fn.sum<number>('total_minor').as('total'))
      .executeTakeFirstOrThrow()
    const sumOf = (table: string, column: string): number =>
      jsonIn(entries, `json/${table}.json`).reduce(
        (sum: number, row: Record<string, number>) => sum + (row[column] ?? 0),
        0,
      )
    expect(sumOf('payment', 'amount_minor')).toBe(paid)
    expect(sumOf('invoice', 'total_minor')).toBe(total)
    const [header, ...lines] = readCsv(entries.get('csv/payment.csv'))
    const column = header?.indexOf('amount_minor') ?? -1
    expect(lines.reduce((sum, line) => sum + Number(line[column]), 0)).toBe(paid)
    expect(paid).toBeGreaterThan(0)
  })

  test('has none of the secrets', async () => {
    const { read } = app.app.database
    const planted = `${PLANTED}-api_key-key_hash`
    const key = await read.selectFrom('api_key').selectAll().where('key_hash', '=', planted).executeTakeFirstOrThrow()
    const text = Buffer.concat([...entries.values()]).toString()
    expect(text).not.toContain(PLANTED)
    expect(text).toContain(key.key_prefix)
    expect(jsonIn(entries, 'json/tenant.json')).toMatchObject([
      { id: school.tenant.id, settings: { registration: { captcha: { provider: 'turnstile' } } } },
    ])
  })

  test('knows of every column whether it is a secret: those that are not and sound like it are named', async () => {
    const sounding = (await tables()).flatMap(({ table, columns }) =>
      columns
        .map(({ name }) => name)
        .filter((name) => /secret|token|hash|password|credential|seal|private|signature/i.test(name))
        .filter((name) => exportedColumns(table, [name]).length > 0)
        .map((name) => `${table.name}.${name}`),
    )
    expect(sounding).toEqual([
      'lesson.video_hash',
      'notification_provider.secret_set_at',
      'payment_provider.secret_set_at',
      'webhook_endpoint.previous_secret_expires_at',
    ])
  })

  test('has the accounts of members, without what is not theirs to see', async () => {
    const member = await school.member({ role: 'teacher' })
    const users = jsonIn(await exportOf(app, school.owner), 'json/user.json') as Record<string, unknown>[]
    expect(users.map(({ id }) => id)).toEqual(expect.arrayContaining([school.ownerUserId, member.userId]))
    expect(users.map(({ id }) => id)).not.toContain(other.ownerUserId)
    expect(Object.keys(users[0] ?? {})).toEqual(
      expect.arrayContaining(['id', 'email', 'full_name', 'phone', 'locale', 'status']),
    )
    expect(Object.keys(users[0] ?? {}).filter((name) => /hash|admin|verified|key/.test(name))).toEqual([])
  })

  test('has a manifest with the rows of each table and the size and SHA-256 of each entry', () => {
    const manifest = jsonIn(entries, 'manifest.json')
    expect(manifest).toMatchObject({
      format: 1,
      institute: { id: school.tenant.id, slug: school.tenant.slug, name: school.tenant.name },
      createdAt: '2026-03-02T08:00:00.000Z',
      schema: expect.stringMatching(/^\d{4}_/),
      fileProblems: [],
    })
    for (const [name, { rows }] of Object.entries<{ rows: number }>(manifest.tables)) {
      expect(jsonIn(entries, `json/${name}.json`), name).toHaveLength(rows)
    }
    expect(manifest.entries).toEqual(
      [...entries]
        .filter(([name]) => name !== 'manifest.json')
        .map(([name, bytes]) => ({
          path: name,
          bytes: bytes.length,
          sha256: createHash('sha256').update(bytes).digest('hex'),
        })),
    )
  })

  test('explains itself in three languages', () => {
    const text = entries.get('README.txt')?.toString() ?? ''
    expect(text).toMatch(/^\uFEFF/)
    for (const words of ['Export of', 'تصدير بيانات', 'ייצוא הנתונים']) {
      expect(text).toContain(`${words}${words === 'ייצוא הנתונים' ? ' של' : ''} ${school.tenant.name}`)
    }
  })
})

describe('files', () => {
  test('have their bytes, under names that mislead nobody', () => {
    const [name = ''] = [...entries.keys()].filter((entry) => entry.startsWith('files/'))
    expect(name).toBe(`files/${fileId}-תעודה_gnp.exe.png`)
    expect(
      createHash('sha256')
        .update(entries.get(name) ?? '')
        .digest('hex'),
    ).toBe(fileHash)
  })

  test('that are missing or damaged are named in the manifest, and the rest is exported', async () => {
    const world = worldOf(app, school)
    const add = async (text: string): Promise<{ id: string; object_name: string }> => {
      const studentId = await newStudent(world)
      const more = { bytes: png(text), entityType: 'student', entityId: studentId }
      const { body } = await uploaded(app, school.owner, more)
      return app.app.database.read
        .selectFrom('file')
        .select(['id', 'object_name'])
        .where('id', '=', body.id)
        .executeTakeFirstOrThrow()
    }
    const placeOf = ({ object_name: name }: { object_name: string }): string =>
      path.join(app.dataDir, 'files/objects', school.tenant.id, name.slice(-2), name)
    const [missing, damaged] = [await add('missing'), await add('damaged')]
    rmSync(placeOf(missing))
    writeFileSync(placeOf(damaged), 'other bytes')
    const found = await exportOf(app, school.owner)
    expect(jsonIn(found, 'manifest.json').fileProblems).toEqual([
      { fileId: missing.id, problem: 'missing' },
      { fileId: damaged.id, problem: 'damaged' },
    ])
    const names = [...found.keys()].filter((name) => name.startsWith('files/'))
    expect(names.map((name) => name.slice(6, 42)).toSorted()).toEqual([fileId, damaged.id].toSorted())
  })
})

test(`all pages of a table are from one moment (${engine})`, async () => {
  const { TenantSnapshot } = await import('#db/copies/tenant-snapshot.ts')
  const { dataDir, databaseUrl: url } = app.app.config
  const place = url === undefined ? { file: path.join(dataDir, 'institute.db') } : { url }
  const snapshot = await TenantSnapshot.open(place, school.tenant.id)
  try {
    const rows = { tenantColumn: 'tenant_id' }
    const before = await snapshot.count('audit_entry', rows)
    const seen = new Set<unknown>()
    for await (const page of snapshot.pages('audit_entry', ['id', 'entity_id'], rows)) {
      for (const { id } of page) seen.add(id)
      await newStudent(worldOf(app, school))
    }
    const students = new Set<unknown>()
    for await (const page of snapshot.pages('student', ['id'], rows)) for (const { id } of page) students.add(id)
    expect(seen.size).toBe(before)
    expect(before).toBeGreaterThan(200)
    expect(students.size).toBe(await snapshot.count('student', rows))
    expect(students.size).toBeLessThan((await rowsOf('student')).length)
  } finally {
    await snapshot.close()
  }
})
