import { sql } from 'kysely'
import type { AnyDb, Migration, SchemaKit } from '#db/schema-kit.ts'
import { newId } from '#kernel/basics/ids.ts'
import { fold } from '#shared/text.ts'
import { localDate, yearOf } from '#kernel/time/zone.ts'

/**
 * Receipts: one for each payment, or for several payments that were made together. Payments from before this step have
 * one each, in the order in which they were recorded, with the names and the payers of now.
 */
export const receipts: Migration = {
  rowsOfAValue: { receipt_id: 2, payer_guardian_id: 20 },
  async up(db, kit) {
    const { id, text, instant, json } = kit
    await kit
      .tenantTable(db, 'receipt')
      .addColumn('number', text, (c) => c.notNull())
      .addColumn('payer_guardian_id', id)
      .addColumn('payer_name', text)
      .addColumn('students', json, (c) => c.notNull())
      .addColumn('method', text, (c) => c.notNull())
      .addColumn('received_at', instant, (c) => c.notNull())
      .addColumn('cancelled_at', instant)
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('search_text', text, (c) => c.notNull())
      .$call(kit.belongsTo('payer_guardian_id', 'guardian'))
      .execute()
    await kit.unique(db, 'receipt', ['tenant_id', 'number'])
    await kit.index(db, 'receipt', ['tenant_id', 'created_at', 'id'])
    await kit.index(db, 'receipt', ['tenant_id', 'received_at', 'id'])
    await kit.index(db, 'receipt', ['tenant_id', 'payer_guardian_id'])

    await db.schema
      .createTable('receipt_payment')
      .addColumn('tenant_id', id, (c) => c.notNull())
      .addColumn('payment_id', id, (c) => c.notNull())
      .addColumn('receipt_id', id, (c) => c.notNull())
      .addColumn('invoice_id', id, (c) => c.notNull())
      .addPrimaryKeyConstraint('receipt_payment_pkey', ['tenant_id', 'payment_id'])
      .$call(kit.belongsTo('payment_id', 'payment'))
      .$call(kit.belongsTo('receipt_id', 'receipt'))
      .$call(kit.belongsTo('invoice_id', 'invoice'))
      .execute()
    await kit.index(db, 'receipt_payment', ['tenant_id', 'receipt_id', 'payment_id'])
    await kit.index(db, 'receipt_payment', ['tenant_id', 'invoice_id', 'receipt_id'])

    for (const tenant of await db.selectFrom('tenant').select(['id', 'timezone']).execute()) {
      await addReceipts(db, kit, tenant)
    }
    await kit.searchIndex(db, 'receipt')
  },
}

const BATCH = 500

interface Tenant {
  id: string
  timezone: string
}

/** The payments after a position, each with its invoice’s student, the student’s payer, and when it was reversed. */
const paymentsAfter = async (
  db: AnyDb,
  kit: SchemaKit,
  tenantId: string,
  after: { created_at: string; id: string } | undefined,
) => {
  const yes = kit.engine === 'postgres' ? true : 1
  let payments = db
    .selectFrom('payment')
    .innerJoin('invoice', (join) =>
      join.onRef('invoice.tenant_id', '=', 'payment.tenant_id').onRef('invoice.id', '=', 'payment.invoice_id'),
    )
    .innerJoin('student', (join) =>
      join.onRef('student.tenant_id', '=', 'invoice.tenant_id').onRef('student.id', '=', 'invoice.student_id'),
    )
    .leftJoin('guardian_link', (join) =>
      join
        .onRef('guardian_link.tenant_id', '=', 'student.tenant_id')
        .onRef('guardian_link.student_id', '=', 'student.id')
        .on('guardian_link.is_payer', '=', yes),
    )
    .leftJoin('guardian', (join) =>
      join
        .onRef('guardian.tenant_id', '=', 'guardian_link.tenant_id')
        .onRef('guardian.id', '=', 'guardian_link.guardian_id'),
    )
    .leftJoin('payment as reversal', (join) =>
      join
        .onRef('reversal.tenant_id', '=', 'payment.tenant_id')
        .onRef('reversal.reverses_payment_id', '=', 'payment.id'),
    )
    .select(['payment.id', 'payment.created_at', 'payment.invoice_id', 'payment.method', 'payment.received_at'])
    .select(['student.id as student_id', 'student.first_name', 'student.last_name'])
    .select(['guardian.id as payer_id', 'guardian.first_name as payer_first', 'guardian.last_name as payer_last'])
    .select('reversal.created_at as cancelled_at')
    .where('payment.tenant_id', '=', tenantId)
    .where('payment.reverses_payment_id', 'is', null)
  if (after) {
    payments = payments.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('payment.created_at', 'payment.id'), '>', tuple(after.created_at, after.id)),
    )
  }
  return payments.orderBy('payment.created_at').orderBy('payment.id').limit(BATCH).execute()
}

const addReceipts = async (db: AnyDb, kit: SchemaKit, { id: tenantId, timezone }: Tenant): Promise<void> => {
  const counters = new Map<number, number>()
  let after: { created_at: string; id: string } | undefined
  for (;;) {
    const payments = await paymentsAfter(db, kit, tenantId, after)
    if (payments.length === 0) break
    const rows = payments.map((payment) => {
      const year = yearOf(localDate(payment.created_at, timezone))
      const serial = (counters.get(year) ?? 0) + 1
      counters.set(year, serial)
      const student = `${payment.first_name} ${payment.last_name}`
      const payer = payment.payer_id === null ? null : `${payment.payer_first} ${payment.payer_last}`
      return {
        id: newId(),
        tenant_id: tenantId,
        number: `R-${year}-${String(serial).padStart(6, '0')}`,
        payer_guardian_id: payment.payer_id,
        payer_name: payer,
        students: JSON.stringify([{ id: payment.student_id, fullName: student }]),
        method: payment.method,
        received_at: payment.received_at,
        cancelled_at: payment.cancelled_at,
        created_at: payment.created_at,
        search_text: fold([student, payer ?? ''].join(' ')),
      }
    })
    await db.insertInto('receipt').values(rows).execute()
    await db
      .insertInto('receipt_payment')
      .values(
        payments.map(({ id, invoice_id }, index) => ({
          tenant_id: tenantId,
          payment_id: id,
          receipt_id: rows[index]?.id,
          invoice_id,
        })),
      )
      .execute()
    after = payments.at(-1) as { created_at: string; id: string }
  }
  for (const [year, value] of counters) {
    await sql`insert into tenant_counter (tenant_id, name, value) values (${tenantId}, ${`receipt ${year}`}, ${value})`.execute(
      db,
    )
  }
}
