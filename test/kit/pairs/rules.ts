import { flag } from '../fill.ts'
import type { TestApp } from '../app.ts'
import { query, type Catalogue } from './records.ts'

/** Invariants of every institute, whatever runs concurrently; each query selects the rows that break one. */
const rules = (): Record<string, string> => ({
  'an institute has one default branch': `
    select t.id from tenant t where (
      select count(*) from branch b where b.tenant_id = t.id and b.is_default = ${flag(true)}) <> 1`,
  'an institute has an active owner': `
    select t.id from tenant t where not exists (
      select 1 from role_assignment a
      join role r on r.tenant_id = a.tenant_id and r.id = a.role_id and r.key = 'owner'
      join membership m on m.tenant_id = a.tenant_id and m.id = a.membership_id and m.status = 'active'
      where a.tenant_id = t.id)`,
  'attendance is of sessions that were held': `
    select a.session_id as id from attendance a
    join session s on s.tenant_id = a.tenant_id and s.id = a.session_id where s.status <> 'held'`,
  'who gave a session is known of those that were held': `
    select x.session_id as id from session_teacher x
    join session s on s.tenant_id = x.tenant_id and s.id = x.session_id where s.status <> 'held'`,
  'what lies on an invoice is its payments less its reversals, its credit and its credit notes': `
    select i.id from invoice i where i.paid_minor <> (
      select coalesce(sum(p.amount_minor), 0) from payment p where p.tenant_id = i.tenant_id and p.invoice_id = i.id
    ) + (
      select coalesce(sum(n.settled_minor), 0) from credit_note n where n.tenant_id = i.tenant_id and n.invoice_id = i.id
    ) - (
      select coalesce(sum(e.amount_minor), 0) from credit_entry e
      where e.tenant_id = i.tenant_id and e.invoice_id = i.id and e.kind = 'applied')`,
  'the credit of a payer is the sum of its entries': `
    select a.id from payer_account a where a.credit_minor <> (
      select coalesce(sum(e.amount_minor), 0) from credit_entry e
      where e.tenant_id = a.tenant_id and e.account_id = a.id)`,
  'credit notes are numbered without a gap': `
    select c.tenant_id as id from tenant_counter c where c.name like 'credit note %' and c.value <> (
      select count(*) from credit_note n where n.tenant_id = c.tenant_id)`,
  'refunds are numbered without a gap': `
    select c.tenant_id as id from tenant_counter c where c.name like 'refund %' and c.value <> (
      select count(*) from refund r where r.tenant_id = c.tenant_id)`,
  'a cheque that is held has paid nothing, and one that is a payment all of it': `
    select c.id from cheque c where c.status in ('held', 'due', 'deposited', 'cleared', 'returned', 'bounced') and
    case when c.status in ('due', 'deposited', 'cleared') then c.amount_minor else 0 end <> (
      select coalesce(sum(p.amount_minor), 0) from cheque_entry e
      join payment p on p.tenant_id = e.tenant_id and (p.id = e.payment_id or p.reverses_payment_id = e.payment_id)
      where e.tenant_id = c.tenant_id and e.cheque_id = c.id
    ) + (
      select coalesce(sum(x.amount_minor), 0) from cheque_entry e
      join credit_entry x on x.tenant_id = e.tenant_id
        and (x.id = e.credit_entry_id or x.reverses_entry_id = e.credit_entry_id)
      where e.tenant_id = c.tenant_id and e.cheque_id = c.id)`,
  'deposit lists are numbered without a gap': `
    select c.tenant_id as id from tenant_counter c where c.name like 'deposit %' and c.value <> (
      select count(*) from cheque_deposit d where d.tenant_id = c.tenant_id)`,
  'a close of a till has counted something': `
    select c.id from till_close c where not exists (
      select 1 from till_entry e where e.tenant_id = c.tenant_id and e.close_id = c.id)`,
  'a group has no more students than places, unless its places were changed': `
    select g.id from "group" g where g.version = 1 and g.capacity < (
      select count(*) from enrollment e
      where e.tenant_id = g.tenant_id and e.group_id = g.id and e.status = 'active')`,
  'invoices are numbered without a gap': `
    select c.tenant_id as id from tenant_counter c where c.name like 'invoice %' and c.value <> (
      select count(*) from invoice i
      where i.tenant_id = c.tenant_id and i.number like 'INV-' || substr(c.name, 9) || '-%')`,
  'a converted lead has a student': `
    select l.id from lead l where l.status = 'converted' and l.student_id is null`,
  'the sections of a course count from 0 without a gap': `
    select s.id from section s where s.sort_order + 1 <> (
      select count(*) from section o
      where o.tenant_id = s.tenant_id and o.course_id = s.course_id and o.sort_order <= s.sort_order)`,
  'the lessons of a section count from 0 without a gap': `
    select l.id from lesson l where l.sort_order + 1 <> (
      select count(*) from lesson o
      where o.tenant_id = l.tenant_id and o.section_id = l.section_id and o.sort_order <= l.sort_order)`,
  'a lesson is of the course of its section': `
    select l.id from lesson l
    join section s on s.tenant_id = l.tenant_id and s.id = l.section_id where s.course_id <> l.course_id`,
  'whoever withdrew or graduated is in no group': `
    select e.id from enrollment e join student s on s.tenant_id = e.tenant_id and s.id = e.student_id
    where e.status = 'active' and s.status in ('withdrawn', 'graduated')`,
})

/** Tables whose rows may outlive the records that they name. */
const OUTLIVING = new Set(['audit_entry', 'event', 'job'])

/** Columns that name what is no row of this database: what was made together, another server. */
const ELSEWHERE = new Set([
  // What the browser keeps a passkey under, and the host that it is of.
  'passkey.credential_id',
  'passkey.rp_id',
  'notification.source_id',
  'notification_call.source_id',
  'installed_license.install_id',
  'license_install.install_id',
  // The page and the payment at the payment company.
  'online_payment.page_id',
  'online_payment.provider_payment_id',
  // Groups that were continued together.
  'group_continuation.rollover_id',
  // At the provider.
  'online_payment.page_id',
])

/** The broken invariants, with the ids that break them. */
export const brokenRules = async (app: TestApp, { references, identified, columns }: Catalogue): Promise<string[]> => {
  const broken: string[] = []
  for (const [rule, sql] of Object.entries(rules())) {
    const found = await query<{ id: string }>(app, sql)
    if (found.length > 0) broken.push(`${rule}: not ${found.map(({ id }) => id).join()}`)
  }
  const everything = identified.map((table) => `select cast(id as text) from "${table}"`).join(' union all ')
  for (const { table, column } of columns) {
    if (!column.endsWith('_id') || OUTLIVING.has(table) || references[table]?.[column]) continue
    if (ELSEWHERE.has(`${table}.${column}`)) continue
    const sql = `select "${column}" as id from "${table}" where cast("${column}" as text) not in (${everything})`
    const found = await query<{ id: string }>(app, sql)
    if (found.length > 0) broken.push(`${table}.${column} names what is gone: ${found.map(({ id }) => id).join()}`)
  }
  return broken
}
