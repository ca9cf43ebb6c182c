import type { TenantInfo } from '#kernel/who/actor.ts'
import type { Begin } from '#kernel/contract/endpoint.ts'
import { ApiError, NotFound, type Failure } from '#kernel/values/errors.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { claimSteps, releaseSteps } from './invoice-steps.ts'

/** Invoices per transaction; a larger one would make other writers wait too long. */
const SLICE = 25

/** What became of many invoices. */
export interface Outcome<Reason extends string> {
  done: string[]
  refused: { id: string; reason: Reason }[]
}

interface Asked {
  ids: readonly string[]
  tenant: TenantInfo
  /** Committed rows within the caller's reach. */
  db: ScopedDb
  begin: Begin
  /** A repeat of this request, whose process died, goes on behind what was done; null: there is no telling. */
  requestHash: string | null
}

interface Work<Reason extends string> {
  /** Changes one invoice, or refuses to before it has written anything. */
  each: (tx: Tx, id: string) => Promise<unknown>
  /** Why one invoice may be refused, besides that it is not found; any other refusal ends the request. */
  refusals: Readonly<Record<Reason, Failure>>
}

/**
 * Changes many invoices, each as by itself, in transactions of a few. The invoices of a transaction are locked in the
 * order of their ids, like those of everybody else who locks several. What an earlier try of the same request did counts as
 * done, and is not done again.
 * @returns both lists in the order of the request, each invoice once
 */
export const changeMany = async <Reason extends string>(
  { ids, tenant, db, begin, requestHash }: Asked,
  { each, refusals }: Work<Reason>,
): Promise<Outcome<Reason | 'not_found'>> => {
  const asked = [...new Set(ids)]
  const rows = await db.selectFrom('invoice').select('id').where('id', 'in', asked).execute()
  // An invoice never changes its branch: what is within reach now stays so.
  const reached = rows.map(({ id }) => id).toSorted()
  const reasons = new Map<string, Reason | 'not_found'>()
  const known = Object.entries({ not_found: NotFound, ...refusals }) as [Reason | 'not_found', Failure][]
  const reasonOf = (error: unknown) =>
    error instanceof ApiError ? known.find(([, { spec }]) => spec === error.spec)?.[0] : undefined
  for (let start = 0; start < reached.length; start += SLICE) {
    const slice = reached.slice(start, start + SLICE)
    await begin(async (system) => {
      const tx = system.inTenant(tenant)
      const claimed = await claimSteps(tx, requestHash, slice)
      for (const id of slice) reasons.delete(id)
      for (const id of slice.filter((one) => claimed.has(one))) {
        await each(tx, id).catch((error: unknown) => {
          const reason = reasonOf(error)
          if (reason === undefined) throw error
          reasons.set(id, reason)
        })
      }
      await releaseSteps(
        tx,
        requestHash,
        slice.filter((id) => reasons.has(id)),
      )
    })
  }
  const isReached = new Set(reached)
  const reasonFor = (id: string) => (isReached.has(id) ? reasons.get(id) : 'not_found')
  return {
    done: asked.filter((id) => reasonFor(id) === undefined),
    refused: asked.flatMap((id) => {
      const reason = reasonFor(id)
      return reason === undefined ? [] : { id, reason }
    }),
  }
}

/** Adds the audit entry of the whole request, beside those of the invoices. */
export const noteMany = <Some extends Outcome<string>>(tx: Tx, outcome: Some): Some => {
  const [done, refused] = [outcome.done.length, outcome.refused.length]
  tx.audit({ entityType: 'invoice', entityId: null, metadata: { done, refused } })
  return outcome
}
