import * as v from 'valibot'
import { declareJob, noPayload } from '#kernel/contract/job.ts'
import type { JobContext } from '#kernel/contract/module.ts'
import type { TenantInfo } from '#kernel/who/actor.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { plusSeconds } from '#kernel/time/clock.ts'
import { findTenant } from '#modules/tenants/index.ts'
import type { Account, OnPage } from '#ports/payments/port.ts'
import { sweepInBatches } from '#runtime/change/batches.ts'
import { applyTold } from './book.ts'
import { accountOf, providerOf, type ProviderDeps } from './providers.ts'
import type { OnlinePaymentRow } from './record.ts'
import { LIVE_STATES, PROVIDER_NAMES, type ProviderName } from './tables.ts'

/** Each day, what was missed is found: notices that never came, and what a restored backup no longer knows. */

export const reconcileAllJob = declareJob('online-payments.reconcile-all', noPayload)
export const reconcileJob = declareJob(
  'online-payments.reconcile',
  v.object({ tenantId: v.string(), provider: v.picklist(PROVIDER_NAMES) }),
)

const DAY = 24 * 3600
const LOOKED_BACK = 4 * DAY
/** A page that the provider does not say to have ended has ended all the same, a day after its time. */
const GIVEN_UP = DAY
const KEPT = 90 * DAY
const AT_ONCE = 100

/** Each institute and provider has a job of its own, so that none waits for another’s provider. */
export const reconcileAll = async ({ everywhere, now, change }: JobContext): Promise<void> => {
  const rows = await everywhere.selectFrom('payment_provider').select(['tenant_id', 'provider']).execute()
  await change(async (system) => {
    for (const { tenant_id: tenantId, provider } of rows) system.enqueue(reconcileJob, { tenantId, provider })
  })
  await sweepInBatches((limit) =>
    change(async ({ everywhere: db }) => {
      const old = db
        .selectFrom('payment_notice')
        .select(['tenant_id', 'id'])
        .where('created_at', '<', plusSeconds(now, -KEPT))
        .where('done_at', 'is not', null)
        .limit(limit)
      const { numDeletedRows } = await db
        .deleteFrom('payment_notice')
        .where(({ eb, refTuple }) => eb(refTuple('tenant_id', 'id'), 'in', old.$asTuple('tenant_id', 'id')))
        .executeTakeFirst()
      return Number(numDeletedRows)
    }),
  )
}

/** Those whose end is not known, and those that ended lately without money: it may have come at the last moment. */
const nextPages = (whole: ScopedDb, provider: ProviderName, { after, since }: { after: string; since: string }) =>
  whole
    .selectFrom('online_payment')
    .selectAll()
    .where('provider', '=', provider)
    .where('page_id', 'is not', null)
    .where((eb) =>
      eb.or([
        eb('state', 'in', LIVE_STATES),
        eb.and([eb('state', 'in', ['failed', 'expired']), eb('created_at', '>=', since)]),
        eb.and([eb('problem', '=', 'not_booked'), eb('settled_at', 'is', null)]),
      ]),
    )
    .where('id', '>', after)
    .orderBy('id')
    .limit(AT_ONCE)
    .execute()

const FIRST = '00000000-0000-0000-0000-000000000000'

interface Reconciling extends Pick<JobContext, 'change' | 'now'> {
  tenant: TenantInfo
  provider: ProviderName
  whole: ScopedDb
  account: Account
}

const askPages = async ({ ports }: ProviderDeps, of: Reconciling): Promise<void> => {
  const { tenant, provider, whole, account, change, now } = of
  const apply = (told: OnPage) => change((system) => applyTold(system, tenant, { provider, told }))
  let after = FIRST
  for (;;) {
    const pages: OnlinePaymentRow[] = await nextPages(whole, provider, { after, since: plusSeconds(now, -LOOKED_BACK) })
    for (const { id: reference, page_id: pageId, invoice_id: about, expires_at: expiresAt } of pages) {
      const asked = await ports[provider].ask(account, pageId as string)
      // Tried again as a whole: a provider that does not answer now will not for the next page either.
      if (!asked.ok && asked.mayPass) throw new Error(asked.words)
      const isOver = expiresAt < plusSeconds(now, -GIVEN_UP)
      const says = asked.ok && (asked.value.is !== 'open' || !isOver) ? asked.value : { is: 'expired' as const }
      if (asked.ok || isOver) await apply({ pageId, reference, about, says })
    }
    const last = pages.at(-1)
    if (!last) return
    after = last.id
  }
}

/** @throws Error for a provider that does not answer: the job is tried again */
export const reconcile =
  (deps: ProviderDeps) =>
  async ({ payload, db, inTenant, change, now }: JobContext<v.InferOutput<typeof reconcileJob.payload>>) => {
    const tenant = await findTenant(db, payload.tenantId)
    if (!tenant) return
    const whole = inTenant(tenant)
    const { provider } = payload
    const row = await providerOf(whole, provider)
    if (!row) return
    const of = { tenant, provider, whole, account: accountOf(deps.vault, row), change, now }
    await change(async (system) => {
      // Nobody was ever shown a page that is opening still: its address is not known here.
      await system
        .inTenant(tenant)
        .whole.updateTable('online_payment')
        .set({ state: 'expired', updated_at: now })
        .where('provider', '=', provider)
        .where('state', '=', 'opening')
        .where('page_id', 'is', null)
        .where('expires_at', '<', now)
        .execute()
    })
    const { listPaid } = deps.ports[provider]
    const listed = await listPaid?.(of.account, { from: plusSeconds(now, -LOOKED_BACK), to: now })
    if (listed && !listed.ok) throw new Error(listed.words)
    for (const told of listed?.value ?? []) await change((system) => applyTold(system, tenant, { provider, told }))
    await askPages(deps, of)
  }
