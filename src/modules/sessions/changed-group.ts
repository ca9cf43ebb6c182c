import type { Tx } from '#kernel/contract/unit-of-work.ts'
import type { Row } from '#runtime/records/records.ts'
import { alignGroup, type Aligned } from './align.ts'
import { horizonAfter } from './horizon.ts'
import { noticeGroup } from './notices.ts'

/**
 * Aligns the sessions of a locked group with what it is from now on, and tells its people once.
 * @throws VALIDATION_ERROR when more sessions are missing than are made at once
 */
export const alignChangedGroup = async (
  tx: Tx,
  { former, group }: { former: Row<'group'>; group: Row<'group'> },
): Promise<Aligned> => {
  const aligned = await alignGroup(tx, group, { former, until: await horizonAfter(tx, group, former) })
  noticeGroup(tx, group.id, aligned)
  return aligned
}
