import { schemaKit } from '#db/schema-kit.ts'
import { newId } from '#kernel/basics/ids.ts'
import type { TestApp } from './app.ts'
import type { TestInstitute } from './institute.ts'

/** Adds a table with one row that refers to a record, like the tables of other modules. */
export const makeReference = async (
  { app: { database } }: TestApp,
  { tenant }: TestInstitute,
  table: string,
  id: string,
): Promise<void> => {
  const kit = schemaKit(database.engine)
  await kit
    .tenantTable(database.schema, `reference_to_${table}`)
    .addColumn('record_id', kit.id)
    .$call(kit.belongsTo('record_id', table))
    .execute()
  await database.schema
    .insertInto(`reference_to_${table}` as never)
    .values({ id: newId(), tenant_id: tenant.id, record_id: id })
    .execute()
}
