import type { Schemas } from '../../api/client.ts'
import type { Format } from '../../words/format.ts'
import type { Words } from '../../words/words.ts'

type Limit = Schemas['PlanLimitUse']['limit']

/** What a plan limits, by name. The vendor types files in megabytes; here their size has its own unit. */
export const limitName = ({ plan, plans }: Words, limit: Limit): string =>
  limit === 'maxStorageBytes' ? plan.storage : plans.quota[limit]

/** How much of it, with its unit. */
export const amountOf = (format: Format, limit: Limit, count: number): string =>
  limit === 'maxStorageBytes' ? format.bytes(count) : format.number(count)
