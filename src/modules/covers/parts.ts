import { invalid } from '#kernel/values/errors.ts'
import { addDays } from '#kernel/time/zone.ts'
import type { NewCover } from './schemas.ts'

/** Days that follow one another on which one teacher stands in. */
export interface Part {
  substituteStaffId: string
  from: string
  to: string
}

/** Who stands in from day to day, in the order of the days. @throws VALIDATION_ERROR */
export const partsOf = (staffId: string, { substituteStaffId, from, to, others }: NewCover): Part[] => {
  if (substituteStaffId === staffId) throw invalid(['substituteStaffId'], 'Must be somebody else.')
  const ordered = others
    .map((other, index) => ({ ...other, index }))
    .toSorted((one, next) => (one.from < next.from ? -1 : 1))
  const parts: Part[] = []
  const add = (part: Part): void => {
    const last = parts.at(-1)
    if (last?.substituteStaffId === part.substituteStaffId) last.to = part.to
    else parts.push(part)
  }
  let next = from
  for (const { index, ...other } of ordered) {
    if (other.substituteStaffId === staffId)
      throw invalid(['others', index, 'substituteStaffId'], 'Must be somebody else.')
    if (other.to < other.from) throw invalid(['others', index, 'to'], 'Must not be before from.')
    if (other.from < next) throw invalid(['others', index, 'from'], 'Must not be before from, nor on a day of another.')
    if (other.to > to) throw invalid(['others', index, 'to'], 'Must not be after to.')
    if (next < other.from) add({ substituteStaffId, from: next, to: addDays(other.from, -1) })
    add({ substituteStaffId: other.substituteStaffId, from: other.from, to: other.to })
    next = addDays(other.to, 1)
  }
  if (next <= to) add({ substituteStaffId, from: next, to })
  return parts
}
