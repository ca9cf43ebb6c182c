import { sql } from 'kysely'
import type { AnyDb, Migration } from '#db/schema-kit.ts'

/**
 * An issued invoice and a receipt keep to whom, of whom and by whom they are, and an invoice who pays it. Those from before
 * this step keep what stands on this day; so does the text below issued invoices that have none of their own.
 */
export const keptPapers: Migration = {
  rebuilds: true,
  async up(db, kit) {
    const { id, json } = kit
    await db.schema.alterTable('invoice').addColumn('payer_guardian_id', id).execute()
    await db.schema.alterTable('invoice').addColumn('kept', json).execute()
    await kit.rebuild(db, 'invoice', { rules: [kit.belongsTo('payer_guardian_id', 'guardian')] })
    await kit.index(db, 'invoice', ['tenant_id', 'payer_guardian_id'], sql`payer_guardian_id is not null`)
    await db.schema.alterTable('receipt').addColumn('kept', json).execute()
    await db.schema
      .createTable('kept_logo')
      .addColumn('tenant_id', id, (c) => c.notNull())
      .addColumn('file_id', id, (c) => c.notNull())
      .addPrimaryKeyConstraint('kept_logo_pkey', ['tenant_id', 'file_id'])
      .$call(kit.belongsTo('file_id', 'file'))
      .execute()
    for (const tenant of await db
      .selectFrom('tenant')
      .select(['id', 'name', 'default_locale', 'timezone', 'settings'])
      .execute()) {
      await keepOf(db, tenant, kit.engine === 'postgres' ? true : 1)
    }
  },
}

interface Settings {
  invoiceFooter?: string | null
  papers?: { taxNumber?: string | null; address?: string | null }
  branding?: { logoFileId?: string | null; color?: string | null }
}

interface Tenant {
  id: string
  name: string
  default_locale: string
  timezone: string
  settings: string | Settings
}

const BATCH = 500

/** A column of JSON, as either engine reads it. */
const parsed = (value: unknown): unknown => (typeof value === 'string' ? JSON.parse(value) : value)

const keepOf = async (db: AnyDb, tenant: Tenant, yes: boolean | number): Promise<void> => {
  const settings = parsed(tenant.settings) as Settings
  const { papers, branding } = settings
  const logoFileId = (await fileThere(db, tenant.id, branding?.logoFileId)) ?? null
  const branches = new Map<string, object>()
  for (const branch of await db
    .selectFrom('branch')
    .select(['id', 'name', 'address', 'phone', 'is_default'])
    .where('tenant_id', '=', tenant.id)
    .execute()) {
    const address = parsed(branch.address)
    const { name, phone } = branch
    branches.set(branch.id, { name, address, phone, isDefault: Boolean(branch.is_default) })
  }
  const issuerOf = (branchId: string) => ({
    name: tenant.name,
    address: papers?.address ?? null,
    taxNumber: papers?.taxNumber ?? null,
    logoFileId,
    color: branding?.color ?? null,
    timezone: tenant.timezone,
    branch: branches.get(branchId) ?? null,
  })
  let isAny = false
  for (let after = ''; ;) {
    const invoices = await invoicesAfter(db, tenant.id, after, yes)
    if (invoices.length === 0) break
    isAny = true
    for (const row of invoices) {
      const kept = {
        locale: row.payer_locale ?? tenant.default_locale,
        issuer: issuerOf(row.branch_id),
        payer:
          row.payer_id === null
            ? null
            : partyOf(row.payer_first, row.payer_last, row.payer_national, row.payer_address),
        student: {
          ...partyOf(row.first_name, row.last_name, row.national_id, row.address),
          studentNumber: row.student_number,
        },
      }
      const set = { kept: JSON.stringify(kept), payer_guardian_id: row.payer_id }
      await db
        .updateTable('invoice')
        .set(row.footer === null ? { ...set, footer: settings.invoiceFooter ?? '' } : set)
        .where('tenant_id', '=', tenant.id)
        .where('id', '=', row.id)
        .execute()
    }
    after = invoices.at(-1)?.id as string
  }
  for (let after = ''; ;) {
    const receipts = await receiptsAfter(db, tenant.id, after)
    if (receipts.length === 0) break
    for (const row of receipts) {
      const payer =
        row.payer_name === null
          ? null
          : { fullName: row.payer_name, nationalId: row.payer_national, address: parsed(row.payer_address) }
      const locale = row.payer_locale ?? tenant.default_locale
      const kept = { locale, issuer: issuerOf(row.branch_id as string), payer }
      await db
        .updateTable('receipt')
        .set({ kept: JSON.stringify(kept) })
        .where('tenant_id', '=', tenant.id)
        .where('id', '=', row.id)
        .execute()
    }
    after = receipts.at(-1)?.id as string
  }
  if (isAny && logoFileId !== null) {
    await db.insertInto('kept_logo').values({ tenant_id: tenant.id, file_id: logoFileId }).execute()
  }
}

const partyOf = (first: string, last: string, nationalId: string | null, address: unknown) => ({
  fullName: `${first} ${last}`,
  nationalId,
  address: parsed(address),
})

const fileThere = async (db: AnyDb, tenantId: string, id: string | null | undefined): Promise<string | undefined> => {
  if (!id) return undefined
  const files = db.selectFrom('file').select('id').where('tenant_id', '=', tenantId).where('id', '=', id)
  return (await files.executeTakeFirst())?.id as string | undefined
}

/** The invoices that were issued, each with its student and the student’s payer of record. */
const invoicesAfter = (db: AnyDb, tenantId: string, after: string, yes: boolean | number) =>
  db
    .selectFrom('invoice')
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
    .select(['invoice.id', 'invoice.branch_id', 'invoice.footer', 'student.first_name', 'student.last_name'])
    .select(['student.student_number', 'student.national_id', 'student.address', 'guardian.id as payer_id'])
    .select(['guardian.first_name as payer_first', 'guardian.last_name as payer_last'])
    .select(['guardian.national_id as payer_national', 'guardian.address as payer_address'])
    .select('guardian.preferred_locale as payer_locale')
    .where('invoice.tenant_id', '=', tenantId)
    .where('invoice.issued_at', 'is not', null)
    .$if(after !== '', (query) => query.where('invoice.id', '>', after))
    .orderBy('invoice.id')
    .limit(BATCH)
    .execute()

/** The receipts, each with its payer and the branch of its first payment. */
const receiptsAfter = (db: AnyDb, tenantId: string, after: string) =>
  db
    .selectFrom('receipt')
    .leftJoin('guardian', (join) =>
      join.onRef('guardian.tenant_id', '=', 'receipt.tenant_id').onRef('guardian.id', '=', 'receipt.payer_guardian_id'),
    )
    .select(['receipt.id', 'receipt.payer_name', 'guardian.national_id as payer_national'])
    .select(['guardian.address as payer_address', 'guardian.preferred_locale as payer_locale'])
    .select((eb) =>
      eb
        .selectFrom('receipt_payment')
        .innerJoin('invoice', (join) =>
          join
            .onRef('invoice.tenant_id', '=', 'receipt_payment.tenant_id')
            .onRef('invoice.id', '=', 'receipt_payment.invoice_id'),
        )
        .select('invoice.branch_id')
        .whereRef('receipt_payment.tenant_id', '=', 'receipt.tenant_id')
        .whereRef('receipt_payment.receipt_id', '=', 'receipt.id')
        .orderBy('receipt_payment.payment_id')
        .limit(1)
        .as('branch_id'),
    )
    .where('receipt.tenant_id', '=', tenantId)
    .$if(after !== '', (query) => query.where('receipt.id', '>', after))
    .orderBy('receipt.id')
    .limit(BATCH)
    .execute()
