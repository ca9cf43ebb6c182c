import type { Schemas } from '../../api/schemas.ts'

/** A line of the invoice with which a student begins. */
export interface FirstLine {
  id: string
  description: string
  /** null: nothing, or no amount, is typed. */
  amountMinor: number | null
  feeScheduleId: string | null
  /** Whether the line is of the group, and so of the enrollment in it. */
  isOfGroup: boolean
  isIncluded: boolean
}

type Fee = Schemas['FeeSchedule']
type Group = Pick<Schemas['Group'], 'id' | 'courseId' | 'courseName' | 'name' | 'feeMinor' | 'currency'>

const isOf = (group: Group, { groupId, courseId }: Fee): boolean =>
  groupId === null ? courseId === group.courseId : groupId === group.id

const isForAll = ({ groupId, courseId }: Fee): boolean => groupId === null && courseId === null

const lineOf = (fee: Fee, description: string): FirstLine => ({
  id: fee.id,
  description,
  amountMinor: fee.amount.amountMinor,
  feeScheduleId: fee.id,
  isOfGroup: fee.kind === 'per_group',
  isIncluded: true,
})

/**
 * What a student who joins a group pays first: the registration, and the first month, term or course as the fees of the
 * group or its course say; where none does, what the group costs. A billing run does not charge again what stands here.
 * @param month YYYY-MM
 */
export const firstLines = (group: Group, fees: readonly Fee[], month: string): FirstLine[] => {
  const ofCurrency = fees.filter(({ amount, isActive }) => isActive && amount.currency === group.currency)
  const registration = ofCurrency.filter((fee) => fee.kind === 'registration' && (isForAll(fee) || isOf(group, fee)))
  const ofGroup = ofCurrency.filter((fee) => fee.kind === 'per_group' && isOf(group, fee))
  const lines = [
    ...registration.map((fee) => lineOf(fee, fee.name)),
    ...ofGroup.map((fee) => lineOf(fee, fee.recurrence === 'monthly' ? `${fee.name}, ${month}` : fee.name)),
  ]
  if (ofGroup.length > 0 || !group.feeMinor) return lines
  const description = `${group.courseName}, ${group.name}`
  const own = { id: 'group', description, amountMinor: group.feeMinor, feeScheduleId: null }
  return [...lines, { ...own, isOfGroup: true, isIncluded: true }]
}

/** What is charged of them. */
export const charged = (lines: readonly FirstLine[]): readonly (FirstLine & { amountMinor: number })[] =>
  lines.filter((line): line is FirstLine & { amountMinor: number } => line.isIncluded && line.amountMinor !== null)

export const sumOf = (lines: readonly FirstLine[]): number =>
  charged(lines).reduce((sum, { amountMinor }) => sum + amountMinor, 0)
