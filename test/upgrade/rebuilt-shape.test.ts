import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Database } from '#db/database.ts'
import { migrate } from '#db/steps/migrate.ts'
import type { TableChanges } from '#db/steps/rebuild.ts'
import type { Migration } from '#db/schema-kit.ts'
import { emptyDatabase, ENGINES, schemaOf } from './databases.ts'

/** A table with everything that the kit supports, in its old or new shape, and one that refers to it. */
const shape = (isNew: boolean): Migration => ({
  up: async (db, kit) => {
    await db.schema
      .createTable('tenant')
      .addColumn('id', kit.id, (column) => column.primaryKey())
      .execute()
    await kit.tenantTable(db, 'teacher').execute()
    await kit
      .tenantTable(db, 'pupil')
      .addColumn('parent_id', kit.id)
      .addColumn('teacher_id', kit.id)
      .addColumn('state', kit.text, (column) => column.notNull())
      .addColumn('number', kit.text, (column) => (isNew ? column.notNull() : column).unique())
      .addColumn('fee', kit.integer, (column) => (isNew ? column : column.notNull()).defaultTo(0))
      .addColumn('tags', kit.json, (column) => (isNew ? column.notNull() : column).defaultTo('["not null, (a"]'))
      .addColumn('search_text', kit.text, (column) => column.notNull().check(sql`search_text <> 'a, (b not null'`))
      .$call((table) =>
        isNew ? table : table.addColumn('nickname', kit.text, (column) => column.check(sql`nickname <> 'teacher_id'`)),
      )
      .$call(kit.belongsTo('parent_id', 'pupil', isNew ? 'cascade' : 'no action'))
      .$call(kit.oneOf('pupil', 'state', isNew ? ['a', `it's, (here`, 'nickname'] : ['a']))
      .$call((table) => (isNew ? table : table.addCheckConstraint('pupil_names', sql`nickname <> "state"`)))
      .$call((table) => (isNew ? kit.belongsTo('teacher_id', 'teacher', 'cascade')(table) : table))
      .execute()
    await kit.unique(db, 'pupil', ['tenant_id', 'parent_id'], sql`state <> 'nickname'`)
    await kit.index(db, 'pupil', ['tenant_id', 'fee desc', 'id'])
    if (!isNew) {
      await kit.index(db, 'pupil', ['tenant_id', 'nickname'])
      await kit.index(db, 'pupil', ['tenant_id', 'state'], sql`nickname is not null`)
    }
    await kit.searchIndex(db, 'pupil')
    await kit
      .tenantTable(db, 'visit')
      .addColumn('pupil_id', kit.id)
      .$call(kit.belongsTo('pupil_id', 'pupil', 'cascade'))
      .execute()
    await kit.appendOnly(db, 'visit')
  },
})

const change: Migration = {
  rebuilds: true,
  up: async (db, kit) => {
    await kit.rebuild(db, 'pupil', {
      rules: [
        kit.oneOf('pupil', 'state', ['a', `it's, (here`, 'nickname']),
        kit.belongsTo('parent_id', 'pupil', 'cascade'),
        kit.belongsTo('teacher_id', 'teacher', 'cascade'),
      ],
      notNull: ['number', 'tags'],
      nullable: ['fee'],
      drop: ['nickname'],
    })
    await kit.rebuild(db, 'visit', { nullable: ['pupil_id'] })
  },
}

describe.each(ENGINES)('on %s', (engine) => {
  const opened = async (migrations: Record<string, Migration>): Promise<Database> => {
    const { database, drop } = await emptyDatabase(engine)
    onTestFinished(async () => {
      await database.close()
      await drop?.()
    })
    await migrate(database, migrations)
    return database
  }

  test('a rebuilt table equals one that is created today', async () => {
    const rebuilt = await opened({ '1_old': shape(false), '2_change': change })
    const fresh = await opened({ '1_new': shape(true) })
    expect(await schemaOf(rebuilt)).toEqual(await schemaOf(fresh))
    const later = await opened({ '1_old': shape(false) })
    expect(await schemaOf(later)).not.toEqual(await schemaOf(fresh))
    await migrate(later, { '1_old': shape(false), '2_change': change })
    expect(await schemaOf(later)).toEqual(await schemaOf(fresh))
    const statistics = ({ sqlite }: Database) => sqlite?.prepare('select * from sqlite_stat1 order by idx').all()
    expect(statistics(later)).toEqual(statistics(fresh))
  })

  test.each<[TableChanges]>([[{ drop: ['nobody'] }], [{ notNull: ['nobody'] }], [{ nullable: ['nobody'] }]])(
    'a change that cannot be made is refused: %j',
    async (changes) => {
      const database = await opened({ '1_old': shape(false) })
      const before = await schemaOf(database)
      const step: Migration = { rebuilds: true, up: (db, kit) => kit.rebuild(db, 'pupil', changes) }
      await expect(migrate(database, { '1_old': shape(false), '2_wrong': step })).rejects.toThrow('nobody')
      expect(await schemaOf(database)).toEqual(before)
      expect(database.sqlite?.pragma('foreign_keys', { simple: true }) ?? 1).toBe(1)
    },
  )

  test('columns of the search and of the key cannot be dropped', async () => {
    const database = await opened({ '1_old': shape(false) })
    const before = await schemaOf(database)
    for (const column of ['search_text', 'id']) {
      const step: Migration = { rebuilds: true, up: (db, kit) => kit.rebuild(db, 'pupil', { drop: [column] }) }
      await expect(migrate(database, { '1_old': shape(false), '2_wrong': step })).rejects.toThrow('does not go')
      expect(await schemaOf(database)).toEqual(before)
    }
  })
})
