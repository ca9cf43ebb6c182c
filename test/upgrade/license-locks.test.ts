import { expect, test } from 'vitest'
import { migrate } from '#db/steps/migrate.ts'
import type { AnyDb } from '#db/schema-kit.ts'
import { migrations } from '#migrations'
import { databaseAt, ENGINES, fillWith } from './databases.ts'
import { KEPT, readKept } from './kept.ts'

const BEFORE = '0146_pause_reasons'
const STEP = '0151_license_locks'

const upTo = (step: string) => Object.fromEntries(Object.entries(migrations).filter(([name]) => name <= step))
const nth = (n: number): string => `01a20151-0000-7000-8000-${String(n).padStart(12, '0')}`
const at = (day: number): string => `2026-11-0${day}T08:00:00.000Z`

test.each(ENGINES)(
  'on %s, a locked licence takes since when and why from its newest command',
  async (engine) => {
    const [step] = KEPT.slice(-1) as [string]
    const { database, drop } = await databaseAt(engine, step)
    try {
      await fillWith(database, readKept(step).tables)
      await migrate(database, upTo(BEFORE))
      const { schema } = database as { schema: AnyDb }
      const { id: tenant_id } = await schema.selectFrom('tenant').select('id').executeTakeFirstOrThrow()
      const license = (n: number, state: string, last_seq: number) => ({
        id: nth(n),
        tenant_id,
        jti: `jti ${n}`,
        token: 'sealed',
        max_installs: 1,
        state,
        last_seq,
        created_at: at(1),
        updated_at: at(1),
      })
      const command = (n: number, license_id: string, seq: number, reason: string | null) => ({
        id: nth(n),
        license_id,
        seq,
        kind: reason === null ? 'unlock' : 'lock',
        reason,
        issued_at: at(seq),
      })
      await database.write(async (db) => {
        const all = db as AnyDb
        await all
          .insertInto('license')
          .values([license(1, 'locked', 2), license(2, 'active', 2), license(3, 'active', 0)])
          .execute()
        await all
          .insertInto('license_command')
          .values([
            command(11, nth(1), 1, 'First.'),
            command(12, nth(1), 2, 'Then.'),
            command(21, nth(2), 1, 'Once.'),
            command(22, nth(2), 2, null),
          ])
          .execute()
      })

      await migrate(database, upTo(STEP))

      const rows = await schema
        .selectFrom('license')
        .select(['locked_at', 'locked_reason'])
        .where('id', 'in', [nth(1), nth(2), nth(3)])
        .orderBy('id')
        .execute()
      expect(
        rows.map((row) => [
          row['locked_at'] && new Date(row['locked_at'] as string).toISOString(),
          row['locked_reason'],
        ]),
      ).toEqual([
        [at(2), 'Then.'],
        [null, null],
        [null, null],
      ])
    } finally {
      await database.close()
      await drop?.()
    }
  },
  60_000,
)
