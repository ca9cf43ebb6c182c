import { countUpTo, MAX_ROWS_READ, readBySize } from '#db/queries/long-reads.ts'
import type { TenantInfo } from '#kernel/who/actor.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { FamilyReach } from '../call-schemas.ts'
import { REACHED_BY, type Channels } from '../channels/channel.ts'
import { channelsNow } from './unreached.ts'

const COLUMNS = { account: 'user_id', email: 'email', phone: 'phone' } as const

interface Counted {
  people: number
  reached: number
  withPhone: number
}

const sumOf = (some: readonly Counted[]): Counted =>
  some.reduce(
    (all, one) => ({
      people: all.people + one.people,
      reached: all.reached + one.reached,
      withPhone: all.withPhone + one.withPhone,
    }),
    { people: 0, reached: 0, withPhone: 0 },
  )

/**
 * Counts whom a message to all families would reach: the guardians who may know of lessons, and students without any, of
 * whoever is in a group. Who wants no messages counts as reached: they have decided so.
 */
export const familyReach = async (
  { db, tenant, channels }: { db: ScopedDb; tenant: TenantInfo; channels: Channels },
  branchId: string | undefined,
): Promise<FamilyReach> => {
  const works = await channelsNow(db, tenant, channels)
  const ways = [...new Set([...works].map((channel) => COLUMNS[REACHED_BY[channel]]))]
  const enrolled = () =>
    db
      .selectFrom('enrollment')
      .innerJoin('group', 'group.id', 'enrollment.group_id')
      .innerJoin('student', 'student.id', 'enrollment.student_id')
      .where('enrollment.status', '=', 'active')
      .$if(branchId !== undefined, (all) => all.where('group.branch_id', '=', branchId as string))
  const guardians = enrolled()
    .innerJoin('guardian_link', 'guardian_link.student_id', 'enrollment.student_id')
    .innerJoin('guardian', 'guardian.id', 'guardian_link.guardian_id')
    .where('guardian_link.sees_learning', '=', true)
    .select(({ fn, eb }) => [
      fn.count<number>('guardian.id').distinct().as('people'),
      fn
        .count<number>('guardian.id')
        .distinct()
        .filterWhere(eb.or(ways.map((way) => eb(`guardian.${way}`, 'is not', null))))
        .as('reached'),
      fn
        .count<number>('guardian.id')
        .distinct()
        .filterWhere(eb.and(ways.map((way) => eb(`guardian.${way}`, 'is', null))))
        .filterWhere('guardian.phone', 'is not', null)
        .as('withPhone'),
    ])
  const alone = enrolled()
    .where(({ exists, not, selectFrom }) =>
      not(exists(selectFrom('guardian_link').select('id').whereRef('guardian_link.student_id', '=', 'student.id'))),
    )
    .select(({ fn, eb }) => [
      fn.count<number>('student.id').distinct().as('people'),
      fn
        .count<number>('student.id')
        .distinct()
        .filterWhere(eb.or(ways.map((way) => eb(`student.${way}`, 'is not', null))))
        .as('reached'),
      fn
        .count<number>('student.id')
        .distinct()
        .filterWhere(eb.and(ways.map((way) => eb(`student.${way}`, 'is', null))))
        .filterWhere('student.phone', 'is not', null)
        .as('withPhone'),
    ])
  const size = await countUpTo(db, enrolled().select('enrollment.id'), MAX_ROWS_READ + 1)
  const { people, reached, withPhone } = sumOf([
    ...(await readBySize(guardians, size)),
    ...(await readBySize(alone, size)),
  ])
  return { people, reached, toCall: withPhone, unreached: people - reached - withPhone, hasMailbox: works.has('email') }
}
