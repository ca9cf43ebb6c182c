import { paidOf, statusOf, totalOf } from './bills.ts'
import { balanceOf } from './money.ts'
import { apart, differences } from './compare.ts'
import { plusDays } from './days.ts'
import type { Desk } from './desk.ts'
import { byId, type Group, type Lesson } from './facts.ts'
import { closureOn, dayOfLesson, endOf, rosterOf, startOf } from './lessons.ts'
import { hasEnded } from './people.ts'

/** What the program says of the school, compared with what the second computation says. */

const stateText = (lesson: Lesson, zone: string, reason: string): string =>
  `${startOf(lesson, zone)} to ${endOf(lesson, zone)} ${lesson.state} ${lesson.state === 'cancelled' ? reason : ''}`

const REASONS = { hand: 'The teacher is ill', group: '', closure: '' }

/** Compares every lesson of every group: those that take place, and why others do not. */
export const checkLessons = async (desk: Desk): Promise<string[]> => {
  const { school, today } = desk
  const found = []
  for (const group of school.groups) {
    const rows = await desk.all(`/groups/${group.id}/sessions`)
    const expected = group.lessons
      .filter(({ state }) => state !== 'unmade')
      .map((lesson) => {
        const closure = closureOn(school, group.branch, dayOfLesson(lesson, school.zone))
        const reason =
          lesson.by === 'closure' ? `closure ${closure?.name}` : `${lesson.by} ${REASONS[lesson.by ?? 'hand']}`
        return stateText(lesson, school.zone, reason)
      })
    const told = rows.map(({ scheduledStart, scheduledEnd, status, cancelledBy, cancelReason }) => {
      // In which words a group says that it is over is no matter of the rules.
      const reason = `${cancelledBy} ${cancelledBy === 'group' ? '' : cancelReason}`
      return `${scheduledStart} to ${scheduledEnd} ${status} ${status === 'cancelled' ? reason : ''}`
    })
    const where = `${today}: lessons of ${group.id} (${group.startsOn} to ${group.endsOn}, ${group.status})`
    found.push(...differences(where, apart(expected, told)))
  }
  return found
}

/** Compares how each group stands, and each place in it. */
export const checkEnrollments = async (desk: Desk): Promise<string[]> => {
  const { school, today } = desk
  const found = []
  for (const group of school.groups) {
    const expected = school.enrollments
      .filter((one) => one.group === group.id)
      .map((one) => `${one.id} ${one.student} ${hasEnded(one, today) ? one.ending : 'active'} ${one.priceMinor}`)
    const rows = await desk.all(`/groups/${group.id}/enrollments`)
    const told = rows.map(({ id, studentId, status, priceMinor }) => `${id} ${studentId} ${status} ${priceMinor}`)
    const { status } = await desk.ask('GET', `/groups/${group.id}`)
    found.push(
      ...differences(`${today}: places in ${group.id}`, apart(expected, told)),
      ...(status === group.status ? [] : [`${today}: ${group.id} is ${status}, and not ${group.status}`]),
    )
  }
  return found
}

/** Compares the rosters of the lessons of a day. */
export const checkRosters = async (desk: Desk, day: string): Promise<string[]> => {
  const { school, today } = desk
  const found = []
  for (const row of await desk.all(`/sessions?from=${day}&to=${day}`)) {
    const group = byId(school.groups, row.groupId)
    const lesson = group.lessons.find(
      (one) => one.state !== 'unmade' && startOf(one, school.zone) === row.scheduledStart,
    )
    // What does not stand where it should is found among the lessons.
    if (!lesson) continue
    const { entries } = await desk.ask('GET', `/sessions/${row.id}/attendance`)
    const listed = entries.map(({ studentId }: { studentId: string }) => studentId)
    const where = `${today}: the roster of ${group.id} at ${row.scheduledStart}`
    found.push(...differences(where, apart(rosterOf(school, group, lesson), listed)))
  }
  return found
}

/** One decimal, rounded half up; null: nothing counts. */
const rateOf = (attended: number, counted: number): number | null =>
  counted === 0 ? null : Number((BigInt(attended) * 2000n + BigInt(counted)) / (2n * BigInt(counted))) / 10

const summaryText = (student: string, marks: readonly string[], held: number): string => {
  const count = (status: string): number => marks.filter((mark) => mark === status).length
  const [present, absent, late, excused] = ['present', 'absent', 'late', 'excused'].map(count) as [
    number,
    number,
    number,
    number,
  ]
  const rate = rateOf(present + late, present + late + absent)
  return `${student} ${present} ${absent} ${late} ${excused}, ${held} held, ${rate}`
}

/** Compares how often each student of a group attended in some days. */
const checkAttendanceOf = async (desk: Desk, group: Group, from: string, to: string): Promise<string[]> => {
  const { school, today } = desk
  const held = group.lessons.filter((lesson) => {
    const day = dayOfLesson(lesson, school.zone)
    return lesson.state === 'held' && from <= day && day <= to
  })
  const rosters = held.map((lesson) => new Set(rosterOf(school, group, lesson)))
  const enrolled = school.enrollments.filter((one) => one.group === group.id && !hasEnded(one, today))
  const students = new Set([...rosters.flatMap((roster) => [...roster]), ...enrolled.map(({ student }) => student)])
  const expected = [...students].map((student) => {
    const marks = school.marks.filter((mark) => mark.student === student && held.includes(mark.lesson))
    const places = rosters.filter((roster) => roster.has(student)).length
    return summaryText(
      student,
      marks.map(({ status }) => status),
      places,
    )
  })
  const { students: told } = await desk.ask('GET', `/groups/${group.id}/attendance/summary?from=${from}&to=${to}`)
  const texts = told.map((row: Record<string, string | number | null>) => {
    const { studentId, present, absent, late, excused, totalHeld, rate } = row
    return `${studentId} ${present} ${absent} ${late} ${excused}, ${totalHeld} held, ${rate}`
  })
  return differences(`${today}: attendance of ${group.id} from ${from} to ${to}`, apart(expected, texts))
}

export const checkAttendance = async (desk: Desk, from: string, to: string): Promise<string[]> => {
  const found = []
  for (const group of desk.school.groups) found.push(...(await checkAttendanceOf(desk, group, from, to)))
  return found
}

const CURRENCIES = ['ILS', 'USD']

/** Compares how each invoice stands, what it comes to and what was paid, and that numbers have no gaps. */
export const checkBills = async (desk: Desk): Promise<string[]> => {
  const { school, today } = desk
  const expected = school.bills.map((bill) =>
    [bill.number, bill.student, statusOf(bill, today), totalOf(bill), paidOf(bill), bill.currency].join(' '),
  )
  const rows = await desk.all('/invoices')
  const told = rows.map(({ number, studentId, status, total, paid }) =>
    [number, studentId, status, total.amountMinor, paid.amountMinor, total.currency].join(' '),
  )
  const numbers = rows.map(({ number }) => number as string).toSorted()
  const counted = new Map<string, number>()
  const inARow = numbers.map((number) => {
    const year = number.slice(0, 'INV-2026-'.length)
    counted.set(year, (counted.get(year) ?? 0) + 1)
    return `${year}${String(counted.get(year)).padStart(6, '0')}`
  })
  return [
    ...differences(`${today}: invoices`, apart(expected, told)),
    ...differences(`${today}: numbers`, apart(inARow, numbers)),
  ]
}

/** Compares what each student owes, and the sums of the institute. */
export const checkDebts = async (desk: Desk, students: readonly string[]): Promise<string[]> => {
  const { school, today } = desk
  const found = []
  for (const student of students) {
    for (const currency of CURRENCIES) {
      const owed = school.bills
        .filter((bill) => bill.student === student && bill.currency === currency)
        .reduce((sum, bill) => sum + balanceOf(bill), 0)
      const { closingBalance } = await desk.ask('GET', `/students/${student}/statement?currency=${currency}`)
      if (closingBalance.amountMinor !== owed) {
        found.push(`${today}: ${student} owes ${owed} ${currency}, and not ${closingBalance.amountMinor}`)
      }
    }
  }
  const summary = await desk.ask('GET', '/billing/summary')
  const own = school.bills.filter(({ currency }) => currency === summary.currency)
  const outstanding = own.reduce((sum, bill) => sum + balanceOf(bill), 0)
  const overdue = own.filter((bill) => statusOf(bill, today) === 'overdue')
  const late = overdue.reduce((sum, bill) => sum + balanceOf(bill), 0)
  const statuses = new Map<string, number>(Object.keys(summary.byStatus).map((status) => [status, 0]))
  for (const bill of school.bills) {
    const status = statusOf(bill, today)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  const expected = [outstanding, late, ...[...statuses].map(([status, count]) => `${status} ${count}`)].join(', ')
  const counts = Object.entries(summary.byStatus).map(([status, count]) => `${status} ${String(count)}`)
  const told = [summary.outstanding.amountMinor, summary.overdueTotal.amountMinor, ...counts].join(', ')
  return [...found, ...differences(`${today}: the sums`, apart([expected], [told]))]
}

/** Sampled days of the year so far, of which the rosters are compared. */
export const checkSampledRosters = async (desk: Desk, ago: readonly number[]): Promise<string[]> => {
  const found = []
  for (const days of ago) found.push(...(await checkRosters(desk, plusDays(desk.today, -days))))
  return found
}
