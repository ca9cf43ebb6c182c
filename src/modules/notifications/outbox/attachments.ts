import type { Logger } from 'pino'
import type { TenantInfo } from '#kernel/who/actor.ts'
import { ApiError } from '#kernel/values/errors.ts'
import type { Locale } from '#shared/locale.ts'
import type { JobContext } from '#kernel/contract/module.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { toTenantInfo, type TenantColumns } from '#modules/tenants/index.ts'
import type { Attachment } from '#ports/mail/port.ts'
import { isStorageFailure } from '#runtime/records/handles.ts'

/** The paper that goes with a mail about money, not yet printed; null: none does. */
export type PaperOf = (
  whole: ScopedDb,
  about: {
    tenant: TenantInfo
    locale: Locale
    of: { receiptId: string } | { invoiceId: string; paymentId: string | undefined }
    messageId: string
    now: string
    change: JobContext['change']
  },
) => Promise<{ name: string; type: string; print(): Promise<Buffer> } | null>

export interface AttachmentDeps {
  paperOf: PaperOf
  log: Logger
}

/** Mail servers refuse large mails. A paper has some 50 KB, and a logo adds 2 MB at the most. */
const MOST_BYTES = 5_000_000

const ABOUT_MONEY = new Set(['invoice.issued', 'invoice.overdue', 'invoice.reminder_requested', 'payment.recorded'])

/** A mail that brings a receipt is nothing without it. */
const RECEIPT = 'receipt.sent'

const isBusy = (error: unknown): boolean => error instanceof ApiError && error.spec.code === 'RATE_LIMITED'

type About = TenantColumns & {
  id: string
  tenant_id: string
  channel: string
  locale: Locale
  template_key: string
  payload: Readonly<Record<string, string>>
}

/** undefined: it is about no paper. */
const paperIn = (key: string, { receiptId, invoiceId, paymentId }: About['payload']) => {
  if (key === RECEIPT && receiptId !== undefined) return { receiptId }
  return ABOUT_MONEY.has(key) && invoiceId !== undefined ? { invoiceId, paymentId } : undefined
}

/**
 * What goes with a message. A mail whose paper fails goes without it, since what it says counts more; one that brings a
 * receipt is tried again.
 * @throws whatever the database does; RateLimited when the printer is busy, and when the program ends: the job runs again
 */
export const attachmentsOf = async (
  row: About,
  {
    inTenant,
    signal,
    now,
    change,
    paperOf,
    log,
  }: AttachmentDeps & Pick<JobContext, 'inTenant' | 'signal' | 'now' | 'change'>,
): Promise<Attachment[]> => {
  const { id: notificationId, tenant_id: tenantId, locale, payload } = row
  if (row.channel !== 'email') return []
  const of = paperIn(row.template_key, payload)
  if (!of) return []
  const tenant = toTenantInfo(tenantId, row)
  try {
    const paper = await paperOf(inTenant(tenant), { tenant, locale, of, messageId: notificationId, now, change })
    if (!paper) return []
    const { name, type, print } = paper
    const bytes = await print()
    if (bytes.length <= MOST_BYTES) return [{ name, type, bytes }]
    log.warn(
      { tenantId, notificationId, bytes: bytes.length },
      'a paper is too large for a mail, which goes without it',
    )
  } catch (error) {
    if (signal.aborted || isStorageFailure(error) || isBusy(error) || 'receiptId' in of) throw error
    log.warn({ tenantId, notificationId, err: error }, 'a paper could not be made: the mail goes without it')
  }
  return []
}
