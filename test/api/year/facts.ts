/** What an office has done so far, as it was told to the program: all that the second computation knows. */

export interface Student {
  id: string
  branch: string
  status: 'active' | 'paused' | 'withdrawn'
  /** The last day of somebody who leaves ahead; null: nobody said that they do. */
  leavesOn: string | null
  /** The guardian who pays for the student and for brothers and sisters; null: nobody does. */
  payer: string | null
}

export interface Rule {
  weekday: number
  startTime: string
  endTime: string
  validFrom: string
  validTo: string | null
}

export interface Lesson {
  /** Of the weekly times, or as somebody added it. */
  date: string
  startTime: string
  endTime: string
  /** The instants at which it takes place instead, whatever the zone; null: it follows the weekly times. */
  moved: { start: string; end: string } | null
  /** `unmade`: the weekly times ask for it, and closed days or the dates of the group kept it from being made. */
  state: 'scheduled' | 'held' | 'cancelled' | 'unmade'
  /** Why it does not take place. */
  by: 'hand' | 'group' | 'closure' | null
  /** Something hangs on it: it is cancelled, and not removed. */
  isTouched: boolean
}

export interface Group {
  id: string
  course: string
  branch: string
  startsOn: string
  endsOn: string
  status: 'planned' | 'active' | 'completed' | 'cancelled'
  /** On which day it was completed or cancelled; null: it is not. */
  closedOn: string | null
  /** How many students it takes; null: no limit. */
  capacity: number | null
  /** The staff member who teaches it; null: nobody. */
  teacher: string | null
  /** The group that goes on as this one; null: it began as a new one. */
  former: string | null
  feeMinor: number
  currency: string
  rules: readonly Rule[]
  lessons: Lesson[]
}

export interface Moment {
  day: string
  /** null: it was a day that somebody named, which begins and ends by the clocks of the institute’s zone. */
  instant: string | null
}

export interface Enrollment {
  id: string
  student: string
  group: string
  from: Moment
  /** What is known of its end, both ahead and back. */
  to: Moment | null
  ending: 'dropped' | 'completed' | null
  priceMinor: number
  currency: string
  isAgreed: boolean
}

export interface Pause {
  student: string
  from: string
  to: string | null
}

export interface Closure {
  id: string
  name: string
  from: string
  to: string
  branch: string | null
  isBilled: boolean
}

export interface Fee {
  id: string
  name: string
  amountMinor: number
  currency: string
  recurrence: 'monthly' | 'per_term'
  group: string | null
  course: string | null
  dueDay: number | null
  price: 'schedule' | 'enrollment'
  proration: 'none' | 'lessons' | 'days'
  validFrom: string | null
  validTo: string | null
}

/** A discount that stands. */
export interface Discount {
  id: string
  /** A student, or who pays for several. */
  holder: string
  /** In hundredths of a percent; null: it is an amount. */
  hundredths: number | null
  amountMinor: number
  label: string
  group: string | null
  course: string | null
  from: string
  to: string | null
}

export interface Payment {
  id: string
  amountMinor: number
  isReversed: boolean
}

export interface Line {
  fee: string
  enrollment: string | null
  description: string
  /** What is left of it after discounts. */
  amountMinor: number
  /** As which child of the payer; null: it did not matter. */
  place: number | null
}

export interface Bill {
  id: string
  number: string
  student: string
  branch: string
  currency: string
  state: 'draft' | 'issued' | 'void'
  issueDate: string
  dueDate: string
  lines: Line[]
  /** The run that made it, and the month that it billed; null: it was made by hand. */
  run: { id: string; month: string } | null
  payments: Payment[]
}

/** What a student was in a lesson. */
export interface Mark {
  student: string
  group: string
  lesson: Lesson
  status: 'present' | 'absent' | 'late' | 'excused'
}

export interface School {
  zone: string
  branches: string[]
  terms: { name: string; startsOn: string }[]
  students: Student[]
  groups: Group[]
  enrollments: Enrollment[]
  pauses: Pause[]
  closures: Closure[]
  fees: Fee[]
  discounts: Discount[]
  /** From which child of a payer on how much is taken off, in hundredths of a percent. */
  siblings: { child: number; hundredths: number }[]
  bills: Bill[]
  marks: Mark[]
}

/** @throws when there is none */
export const byId = <T extends { id: string }>(all: readonly T[], id: string): T => {
  const found = all.find((one) => one.id === id)
  if (!found) throw new Error(`nothing has the id ${id}`)
  return found
}
