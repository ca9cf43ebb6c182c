import { byId, type Discount, type Group, type School } from './facts.ts'
import { roundedHalfUp } from './rounding.ts'

/** What discounts come to, by the rules alone. */

interface Child {
  id: string
  payer: string
  fullMinor: number
  isBilled: boolean
  place: number | null
}

/** The numbers from 1 on are given out one after the other: first comes who has one, and so keeps it. */
export const placesOf = (children: readonly Child[]): Map<string, number> => {
  const places = new Map<string, number>()
  for (const payer of new Set(children.map((child) => child.payer))) {
    const own = children.filter((child) => child.payer === payer)
    for (const { id, place } of own) if (place !== null) places.set(id, place)
    const kept = own.flatMap(({ place }) => place ?? [])
    const free = own.map((_, at) => at + 1).concat(kept.map((place) => place + own.length))
    const numbers = [...new Set(free)].filter((number) => !kept.includes(number)).toSorted((a, b) => a - b)
    const waiting = own.filter(({ place }) => place === null)
    const billedBefore = waiting.filter(({ isBilled }) => isBilled)
    const toBill = waiting.filter(({ isBilled }) => !isBilled)
    const dearestFirst = (some: readonly Child[]) =>
      some.toSorted((a, b) => b.fullMinor - a.fullMinor || (a.id < b.id ? -1 : 1))
    for (const [at, { id }] of [...dearestFirst(billedBefore), ...dearestFirst(toBill)].entries()) {
      places.set(id, numbers[at] as number)
    }
  }
  return places
}

interface Line {
  student: string
  group: Group
  currency: string
  firstDay: string
  place: number | null
  priceMinor: number
}

/** An amount is of the institute's currency, and is taken off nothing that is paid in another. */
const isOn = ({ from, to, group, course, hundredths }: Discount, line: Line): boolean =>
  (hundredths !== null || line.currency === 'ILS') &&
  from <= line.firstDay &&
  (to === null || line.firstDay <= to) &&
  (group === null || group === line.group.id) &&
  (course === null || course === line.group.course)

/** How much is taken off a line, and how it says so. */
export const takenOff = (school: School, line: Line): { offMinor: number; words: string } => {
  const { payer } = byId(school.students, line.student)
  const standing = school.discounts
    .filter((one) => (one.holder === line.student || one.holder === payer) && isOn(one, line))
    .toSorted((a, b) => (a.from === b.from ? (a.id < b.id ? -1 : 1) : a.from < b.from ? -1 : 1))
  const step = school.siblings.filter(({ child }) => line.place !== null && child <= line.place).at(-1)
  const siblings = step ? [{ hundredths: step.hundredths, label: 'Siblings’ discount', amountMinor: 0 }] : []
  let offMinor = 0
  let words = ''
  const percentages = [...siblings, ...standing].filter(({ hundredths }) => hundredths !== null)
  const amounts = standing.filter(({ hundredths }) => hundredths === null)
  for (const { hundredths, amountMinor, label } of [...percentages, ...amounts]) {
    const wanted =
      hundredths === null ? amountMinor : roundedHalfUp(BigInt(line.priceMinor) * BigInt(hundredths), 10_000n)
    const off = Math.min(wanted, line.priceMinor - offMinor)
    offMinor += off
    if (off > 0) words += hundredths === null ? ` · ${label}` : ` · ${label} ${hundredths / 100}%`
  }
  return { offMinor, words }
}
