import { sql } from 'kysely'
import { localInstant } from '#kernel/time/zone.ts'
import type { AnyDb, Migration, SchemaKit } from '#db/schema-kit.ts'

/**
 * Days on which an institute is closed. A session says why and by what it was cancelled, and whether people moved it: the
 * others follow the weekly times when the institute's zone changes, or the rules of that zone.
 */
export const closedDays: Migration = {
  rowsOfAValue: { closure_id: 100 },
  async up(db, kit) {
    const { text, flag, id, date, instant, integer } = kit
    await kit
      .tenantTable(db, 'closure')
      .addColumn('name', text, (c) => c.notNull())
      .addColumn('from_date', date, (c) => c.notNull())
      .addColumn('to_date', date, (c) => c.notNull())
      // null: all branches.
      .addColumn('branch_id', id)
      .addColumn('is_billed', flag, (c) => c.notNull())
      .addColumn('version', integer, (c) => c.notNull().defaultTo(1))
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('updated_at', instant, (c) => c.notNull())
      .addCheckConstraint('closure_dates_check', sql`to_date >= from_date`)
      .$call(kit.belongsTo('branch_id', 'branch'))
      .execute()
    await kit.index(db, 'closure', ['tenant_id', 'from_date', 'id'])
    await kit.index(db, 'closure', ['tenant_id', 'branch_id', 'from_date', 'id'], sql`branch_id is not null`)

    await db.schema.alterTable('session').addColumn('cancel_reason', text).execute()
    await db.schema.alterTable('session').addColumn('cancelled_by', text).execute()
    // The closure may be gone before its sessions have come back.
    await db.schema.alterTable('session').addColumn('closure_id', id).execute()
    await db.schema
      .alterTable('session')
      .addColumn('is_moved', flag, (c) => c.notNull().defaultTo(kit.engine === 'postgres' ? false : 0))
      .execute()
    await kit.index(db, 'session', ['tenant_id', 'closure_id', 'group_id'], sql`closure_id is not null`)
    await sql`update session set cancelled_by = 'hand' where status = 'cancelled'`.execute(db)
    await markMoved(db, kit)

    // By which edition of the zones' rules the sessions stand; null: nobody has looked.
    await db.schema.alterTable('tenant').addColumn('zone_rules', text).execute()
  },
}

/** Rows that are read at once. An institute may have hundreds of thousands. */
const SLICE = 1000

interface Standing {
  tenant_id: string
  id: string
  scheduled_start: string
  occurrence_date: string
  occurrence_slot: string
  timezone: string
}

/** People moved whatever does not begin where its weekly times put it. */
const markMoved = async (db: AnyDb, { engine }: SchemaKit): Promise<void> => {
  let last: Standing | undefined
  do {
    let slice = db
      .selectFrom('session')
      .innerJoin('tenant', 'tenant.id', 'session.tenant_id')
      .select(['session.tenant_id', 'session.id', 'session.scheduled_start', 'tenant.timezone'])
      .select(['session.occurrence_date', 'session.occurrence_slot'])
      .where('session.occurrence_date', 'is not', null)
    if (last) slice = slice.where(sql<boolean>`(session.tenant_id, session.id) > (${last.tenant_id}, ${last.id})`)
    const rows = (await slice.orderBy('session.tenant_id').orderBy('session.id').limit(SLICE).execute()) as Standing[]
    const moved = rows.filter(
      (row) => row.scheduled_start !== localInstant(row.occurrence_date, row.occurrence_slot, row.timezone),
    )
    for (const { tenant_id: tenantId, id } of moved) {
      await db
        .updateTable('session')
        .set({ is_moved: engine === 'postgres' ? true : 1 })
        .where('tenant_id', '=', tenantId)
        .where('id', '=', id)
        .execute()
    }
    last = rows.length < SLICE ? undefined : rows.at(-1)
  } while (last)
}
