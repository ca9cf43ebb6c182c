import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/**
 * What is paid by card on a provider's page: the institute's account there, each page that was opened and what came of it,
 * and the provider's notices, each of which is acted on once.
 */
export const onlinePayments: Migration = {
  rowsOfAValue: { receipt_id: 1, payer_guardian_id: 12, invoice_id: 2 },
  async up(db, kit) {
    const { id, text, instant, integer, json, flag } = kit
    const providers = ['stripe', 'payplus']
    await kit
      .tenantTable(db, 'payment_provider')
      .addColumn('provider', text, (c) => c.notNull())
      .addColumn('is_on', flag, (c) => c.notNull())
      .addColumn('settings', json, (c) => c.notNull())
      // Sealed: all of its secrets.
      .addColumn('secret', text, (c) => c.notNull())
      .addColumn('secret_set_at', instant, (c) => c.notNull())
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('updated_at', instant, (c) => c.notNull())
      .$call(kit.oneOf('payment_provider', 'provider', providers))
      .execute()
    await kit.unique(db, 'payment_provider', ['tenant_id', 'provider'])
    // Notices name it alone.
    await kit.unique(db, 'payment_provider', ['id'])

    await kit
      .tenantTable(db, 'online_payment')
      .addColumn('invoice_id', id, (c) => c.notNull())
      // Who opened it as a guardian; null: whoever pays the invoice.
      .addColumn('payer_guardian_id', id)
      .addColumn('amount_minor', integer, (c) => c.notNull())
      .addColumn('currency', text, (c) => c.notNull())
      .addColumn('provider', text, (c) => c.notNull())
      .addColumn('state', text, (c) => c.notNull())
      .addColumn('page_id', text)
      .addColumn('page_url', text)
      .addColumn('expires_at', instant, (c) => c.notNull())
      .addColumn('provider_payment_id', text)
      .addColumn('paid_minor', integer)
      .addColumn('paid_currency', text)
      .addColumn('paid_at', instant)
      .addColumn('receipt_id', id)
      .addColumn('problem', text)
      .addColumn('problem_at', instant)
      .addColumn('settled_at', instant)
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('updated_at', instant, (c) => c.notNull())
      .$call(kit.belongsTo('invoice_id', 'invoice'))
      .$call(kit.belongsTo('payer_guardian_id', 'guardian'))
      .$call(kit.belongsTo('receipt_id', 'receipt'))
      .$call(kit.oneOf('online_payment', 'provider', providers))
      .$call(kit.oneOf('online_payment', 'state', ['opening', 'open', 'pending', 'paid', 'failed', 'expired']))
      .addCheckConstraint('online_payment_amount_check', sql`amount_minor > 0`)
      .addCheckConstraint('online_payment_receipt_check', sql`receipt_id is null or state = 'paid'`)
      .execute()
    await kit.unique(db, 'online_payment', ['tenant_id', 'provider', 'page_id'], sql`page_id is not null`)
    // However often it is told of: a payment at the provider is one here.
    await kit.unique(
      db,
      'online_payment',
      ['tenant_id', 'provider', 'provider_payment_id'],
      sql`provider_payment_id is not null`,
    )
    await kit.unique(db, 'online_payment', ['tenant_id', 'receipt_id'], sql`receipt_id is not null`)
    await kit.index(db, 'online_payment', ['tenant_id', 'invoice_id', 'created_at', 'id'])
    await kit.index(db, 'online_payment', ['tenant_id', 'created_at', 'id'])
    await kit.index(db, 'online_payment', ['tenant_id', 'state', 'created_at', 'id'])
    // What somebody has to look at.
    await kit.index(
      db,
      'online_payment',
      ['tenant_id', 'problem', 'created_at', 'id'],
      sql`problem is not null and settled_at is null`,
    )
    await kit.index(db, 'online_payment', ['tenant_id', 'payer_guardian_id'], sql`payer_guardian_id is not null`)
    await kit.index(db, 'online_payment', ['tenant_id', 'provider', 'id'], sql`state in ('opening', 'open', 'pending')`)

    await kit
      .tenantTable(db, 'payment_notice')
      .addColumn('provider', text, (c) => c.notNull())
      .addColumn('notice_id', text, (c) => c.notNull())
      .addColumn('tells', json, (c) => c.notNull())
      .addColumn('done_at', instant)
      .addColumn('created_at', instant, (c) => c.notNull())
      .$call(kit.oneOf('payment_notice', 'provider', providers))
      .execute()
    await kit.unique(db, 'payment_notice', ['tenant_id', 'provider', 'notice_id'])
    await kit.index(db, 'payment_notice', ['created_at'])
  },
}
