import { MAX_ROWS_READ } from '#db/queries/long-reads.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'

/** A group with a free place for which somebody waits. */
export interface FreePlace {
  groupId: string
  groupName: string
  free: number
  waiting: number
}

/** The groups with places that nobody has been offered, for who waits. */
export const freePlacesOf = async (db: ScopedDb, branchId: string | undefined): Promise<FreePlace[]> => {
  const rows = await db
    .selectFrom('group')
    .select(['group.id', 'group.name', 'group.capacity'])
    .select((eb) => [
      eb
        .selectFrom('enrollment')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('enrollment.group_id', '=', 'group.id')
        .where('enrollment.status', '=', 'active')
        .as('enrolled'),
      eb
        .selectFrom('waiting_entry')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('waiting_entry.group_id', '=', 'group.id')
        .where('waiting_entry.offer_ends_at', 'is not', null)
        .as('offered'),
      eb
        .selectFrom('waiting_entry')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('waiting_entry.group_id', '=', 'group.id')
        .where('waiting_entry.offer_ends_at', 'is', null)
        .where('waiting_entry.lapsed_at', 'is', null)
        .as('waiting'),
    ])
    .where('group.status', 'in', ['planned', 'active'])
    .where('group.id', 'in', (eb) => eb.selectFrom('waiting_entry').select('waiting_entry.group_id'))
    .$if(branchId !== undefined, (all) => all.where('group.branch_id', '=', branchId as string))
    .orderBy('group.name')
    .limit(MAX_ROWS_READ)
    .execute()
  return rows.flatMap(({ id, name, capacity, enrolled, offered, waiting }) => {
    const free = capacity === null ? Number(waiting) : capacity - Number(enrolled) - Number(offered)
    return free > 0 && Number(waiting) > 0 ? [{ groupId: id, groupName: name, free, waiting: Number(waiting) }] : []
  })
}
