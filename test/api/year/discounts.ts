import type { Chance } from './chance.ts'
import { plusDays } from './days.ts'
import type { Desk } from './desk.ts'
import type { Discount, School } from './facts.ts'

/** What the office takes off: discounts that stand, and those of siblings. */

/** At most two percentages of one holder, so that they never come to more than all. */
const PERCENTAGES = [1000, 1250, 3333, 5000] as const
const AMOUNTS = [500, 20_000] as const

const percentagesOf = ({ discounts }: School, holder: string): Discount[] =>
  discounts.filter((one) => one.holder === holder && one.hundredths !== null)

/** Takes something off for a student, or for all of a family. */
export const giveDiscount = async (desk: Desk, chance: Chance): Promise<void> => {
  const { school, today } = desk
  const { id: studentId, payer } = chance.one(school.students)
  const isOfPayer = payer !== null && chance.percent(40)
  const holder = isOfPayer ? payer : studentId
  const isAmount = chance.percent(30) || percentagesOf(school, holder).length === 2
  const hundredths = isAmount ? null : chance.one(PERCENTAGES)
  const amountMinor = isAmount ? chance.one(AMOUNTS) : 0
  const group = chance.one(school.groups)
  const scope = chance.one([
    { group: null, course: null },
    { group: group.id, course: null },
    { group: null, course: group.course },
  ])
  const from = plusDays(today, chance.int(-40, 30))
  const to = chance.percent(40) ? plusDays(from, chance.int(0, 90)) : null
  const label = `Help ${school.discounts.length}`
  const { id } = await desk.ask('POST', '/discounts', {
    ...(isOfPayer ? { guardianId: holder } : { studentId: holder }),
    kind: isAmount ? 'amount' : 'percent',
    value: hundredths === null ? amountMinor : hundredths / 100,
    label,
    groupId: scope.group,
    courseId: scope.course,
    validFrom: from,
    validTo: to,
  })
  school.discounts.push({ id, holder, hundredths, amountMinor, label, ...scope, from, to })
}

/** Ends one that has no end yet, or removes one that was a mistake. */
export const endDiscount = async (desk: Desk, chance: Chance): Promise<void> => {
  const { school, today } = desk
  if (school.discounts.length === 0) return
  const one = chance.one(school.discounts)
  if (chance.percent(20)) {
    await desk.ask('DELETE', `/discounts/${one.id}`)
    school.discounts.splice(school.discounts.indexOf(one), 1)
  } else if (one.to === null && one.from <= today) {
    await desk.ask('PATCH', `/discounts/${one.id}`, { validTo: today })
    one.to = today
  }
}

/** What is taken off for siblings from now on. */
export const setSiblings = async (desk: Desk, steps: School['siblings']): Promise<void> => {
  const siblingDiscounts = steps.map(({ child, hundredths }) => ({ child, percent: hundredths / 100 }))
  await desk.ask('PATCH', '/settings', { siblingDiscounts })
  desk.school.siblings = steps
}

/** On these days the setting changes: there was none, then there is one, then another. */
export const SIBLINGS_SINCE: Readonly<Record<string, School['siblings']>> = {
  '2026-10-11': [
    { child: 2, hundredths: 1000 },
    { child: 3, hundredths: 2550 },
  ],
  '2027-02-16': [{ child: 2, hundredths: 1500 }],
}
