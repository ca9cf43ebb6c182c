import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Settings } from '#modules/settings/index.ts'

/** Who pays for whom. */
export interface Families {
  /** By the ids of students; who has no payer of record is missing. */
  payerOf: ReadonlyMap<string, string>
  /** By the ids of payers: all students for whom they pay. */
  childrenOf: ReadonlyMap<string, readonly string[]>
}

/** Reads who pays for these students, and for whom they pay too; and for whom these guardians do. */
export const readFamilies = async (
  whole: ScopedDb,
  { studentIds, guardianIds = [] }: { studentIds: readonly string[]; guardianIds?: readonly string[] },
): Promise<Families> => {
  const own = whole
    .selectFrom('guardian_link')
    .select('guardian_id')
    .where('is_payer', '=', true)
    .where('student_id', 'in', studentIds)
  const payerIds = [
    ...guardianIds,
    ...(studentIds.length === 0 ? [] : (await own.execute()).map(({ guardian_id: id }) => id)),
  ]
  if (payerIds.length === 0) return { payerOf: new Map(), childrenOf: new Map() }
  const rows = await whole
    .selectFrom('guardian_link')
    .select(['student_id', 'guardian_id'])
    .where('is_payer', '=', true)
    .where('guardian_id', 'in', [...new Set(payerIds)])
    .orderBy('student_id')
    .execute()
  const byPayer = Map.groupBy(rows, ({ guardian_id: id }) => id)
  return {
    payerOf: new Map(rows.map((row) => [row.student_id, row.guardian_id])),
    childrenOf: new Map([...byPayer].map(([payer, of]) => [payer, of.map(({ student_id: id }) => id)])),
  }
}

/** A child of a payer who is charged for the month. */
export interface Child {
  /** Of two whose prices are alike, the first by it comes first. */
  id: string
  /** What it comes to without parts and discounts, in the institute’s currency. */
  fullMinor: number
  isBilled: boolean
  /** The place by which they were billed; null: they were not, or siblings did not matter then. */
  place: number | null
}

/**
 * As which child of their payer each of them is charged. Who was billed keeps the place, so that nobody’s invoice turns
 * out to be wrong once another child comes; the others take those that are free, the dearest first.
 */
export const placesOf = (children: readonly Child[]): ReadonlyMap<string, number> => {
  const places = new Map(children.flatMap(({ id, place }) => (place === null ? [] : [[id, place] as const])))
  const taken = new Set(places.values())
  const rank = (one: Child, other: Child): number =>
    Number(other.isBilled) - Number(one.isBilled) ||
    other.fullMinor - one.fullMinor ||
    (one.id < other.id ? -1 : Number(one.id > other.id))
  let next = 1
  for (const { id } of children.filter(({ place }) => place === null).toSorted(rank)) {
    while (taken.has(next)) next += 1
    places.set(id, next)
    next += 1
  }
  return places
}

/** What the rule takes off for that child, in percent; undefined: nothing. */
export const siblingPercent = (rule: Settings['siblingDiscounts'], place: number): number | undefined =>
  rule.findLast(({ child }) => child <= place)?.percent
