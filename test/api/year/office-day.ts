import type { Chance } from './chance.ts'
import { plusDays } from './days.ts'
import type { Desk } from './desk.ts'
import { endDiscount, giveDiscount } from './discounts.ts'
import type { Bill, Enrollment, Group, Student } from './facts.ts'
import { balanceOf, invoiceByHand, pay, payTogether, reverse, takeOut, voidBill } from './money.ts'
import {
  changeBranch,
  comeBack,
  complete,
  drop,
  enroll,
  groupsFor,
  hasEnded,
  move,
  openEnrollments,
  pause,
  withdraw,
} from './people.ts'
import {
  addLesson,
  cancelLesson,
  changeClosure,
  changeDates,
  close,
  endGroup,
  lessonsOn,
  moveLesson,
  noteOnLesson,
  open,
} from './teaching.ts'

/** What comes up at a desk on a usual day, in no order. */

type Act = (desk: Desk, chance: Chance) => Promise<void>

const withOne =
  <T>(all: (desk: Desk) => readonly T[], act: (desk: Desk, one: T, chance: Chance) => Promise<void>): Act =>
  async (desk, chance) => {
    const found = all(desk)
    if (found.length > 0) await act(desk, chance.one(found), chance)
  }

const students =
  (status: Student['status']) =>
  ({ school }: Desk): Student[] =>
    school.students.filter((student) => student.status === status && student.leavesOn === null)

const runningGroups = ({ school, today }: Desk): Group[] =>
  school.groups.filter(
    ({ status, startsOn, endsOn }) =>
      status === 'active' && startsOn < plusDays(today, -20) && endsOn > plusDays(today, 20),
  )

const laterOf = (one: string, other: string): string => (one > other ? one : other)

const enrollLate: Act = withOne(students('active'), async (desk, student, chance) => {
  const groups = groupsFor(desk, student)
  if (groups.length === 0) return
  const day = chance.one([undefined, plusDays(desk.today, -chance.int(1, 40)), plusDays(desk.today, chance.int(1, 40))])
  await enroll(desk, student, chance.one(groups), { day, priceMinor: chance.percent(30) ? 33_333 : undefined })
})

const leave: Act = withOne(openEnrollments, async (desk, one: Enrollment, chance) => {
  const back = laterOf(one.from.day, plusDays(desk.today, -chance.int(0, 35)))
  const ahead = laterOf(one.from.day, plusDays(desk.today, chance.int(1, 45)))
  await drop(desk, one, chance.one([undefined, back, back, ahead]))
})

const change: Act = withOne(openEnrollments, async (desk, one: Enrollment, chance) => {
  const student = desk.school.students.find(({ id }) => id === one.student)
  const groups = student && student.status === 'active' && student.leavesOn === null ? groupsFor(desk, student) : []
  if (groups.length === 0) return
  const to = chance.one(groups)
  const first = laterOf(plusDays(one.from.day, 1), plusDays(desk.today, chance.int(-20, 30)))
  const days = chance.one([{}, { enrolledAt: first }, { endedAt: plusDays(first, -1) }])
  await move(desk, one, to, days)
})

const end: Act = withOne(openEnrollments, (desk, one: Enrollment) =>
  one.from.day < desk.today ? complete(desk, one) : Promise.resolve(),
)

const takeABreak: Act = withOne(students('active'), (desk, student, chance) => {
  const since = plusDays(desk.today, -chance.int(0, 30))
  const ahead = plusDays(desk.today, chance.int(1, 20))
  return pause(
    desk,
    student,
    chance.one([
      {},
      { pausedFrom: since },
      { pausedTo: plusDays(desk.today, chance.int(0, 20)) },
      { pausedFrom: ahead, pausedTo: plusDays(ahead, chance.int(0, 25)) },
      { pausedFrom: plusDays(desk.today, -40), pausedTo: plusDays(desk.today, -chance.int(1, 40)) },
    ]),
  )
})
const returnToClass: Act = withOne(students('paused'), comeBack)
const goAway: Act = withOne(students('active'), async (desk, student, chance) => {
  const own = desk.school.enrollments.filter((one) => one.student === student.id && !hasEnded(one, desk.today))
  const begun = own.filter(({ from }) => from.day <= desk.today)
  const first = begun.reduce((latest, { from }) => laterOf(latest, from.day), plusDays(desk.today, -20))
  await withdraw(desk, student, chance.one([undefined, first, desk.today, plusDays(desk.today, chance.int(1, 30))]))
})
const changeOffice: Act = withOne(students('active'), (desk, student, chance) =>
  changeBranch(desk, student, chance.one(desk.school.branches)),
)

const shorten: Act = withOne(runningGroups, (desk, group, chance) =>
  changeDates(desk, group, { endsOn: plusDays(desk.today, chance.int(-10, 19)) }),
)
const lengthen: Act = withOne(runningGroups, (desk, group, chance) =>
  changeDates(desk, group, { endsOn: plusDays(group.endsOn, chance.int(-15, 20)) }),
)
const beginLater: Act = withOne(runningGroups, (desk, group, chance) =>
  changeDates(desk, group, { startsOn: plusDays(group.startsOn, chance.int(-3, 10)) }),
)
const completeGroup: Act = withOne(runningGroups, (desk, group) => endGroup(desk, group, 'completed'))
const cancelGroup: Act = withOne(runningGroups, (desk, group) => endGroup(desk, group, 'cancelled'))

const shutDown: Act = async (desk, chance) => {
  const from = plusDays(desk.today, chance.int(-8, 20))
  const branch = chance.one([null, ...desk.school.branches])
  const closure = { from, to: plusDays(from, chance.int(0, 4)), branch, isBilled: chance.percent(50) }
  await close(desk, { name: `Strike ${from}`, ...closure })
}
const aboutNow = ({ school, today }: Desk) =>
  school.closures.filter(({ from, to }) => to > plusDays(today, -25) && from < plusDays(today, 25))
const reopen: Act = withOne(aboutNow, open)
const shift: Act = withOne(aboutNow, (desk, closure, chance) =>
  changeClosure(
    desk,
    closure,
    chance.one([
      { from: plusDays(closure.from, -1) },
      { to: plusDays(closure.to, 2) },
      { isBilled: !closure.isBilled },
      { from: closure.to },
      { name: `${closure.name}*` },
    ]),
  ),
)

const lessonAct =
  (act: (desk: Desk, known: Awaited<ReturnType<typeof lessonsOn>>[number], chance: Chance) => Promise<void>): Act =>
  async (desk, chance) => {
    const known = await lessonsOn(desk, plusDays(desk.today, chance.int(1, 9)))
    if (known.length > 0) await act(desk, chance.one(known), chance)
  }
const cancel = lessonAct(cancelLesson)
const reschedule = lessonAct((desk, known, chance) =>
  known.lesson.moved === null && known.lesson.startTime > '12:00'
    ? moveLesson(desk, known, chance.one([-2, -1, 1]))
    : Promise.resolve(),
)
const note = lessonAct(noteOnLesson)

/** On a day on which the group has no lesson by its weekly times, and nobody closed it. */
const add: Act = withOne(runningGroups, async (desk, group, chance) => {
  const day = plusDays(desk.today, chance.int(-5, 10))
  const isTaken = group.lessons.some(({ date }) => date === day)
  const isClosed = desk.school.closures.some(({ from, to }) => from <= day && day <= to)
  if (!isTaken && !isClosed) await addLesson(desk, group, day)
})

const openBills = ({ school }: Desk): Bill[] => school.bills.filter((bill) => balanceOf(bill) > 0)
const payPart: Act = withOne(openBills, (desk, bill, chance) => {
  const balance = balanceOf(bill)
  return pay(desk, bill, chance.percent(60) ? balance : chance.int(1, balance))
})
const payFamily: Act = withOne(openBills, async (desk, bill) => {
  const payer = desk.school.students.find(({ id }) => id === bill.student)?.payer
  if (!payer) return
  const children = new Set(desk.school.students.filter((one) => one.payer === payer).map(({ id }) => id))
  const own = openBills(desk).filter(({ student, currency }) => children.has(student) && currency === bill.currency)
  await payTogether(desk, own.slice(0, 50))
})
const bounce: Act = withOne(
  ({ school }) => school.bills.filter((bill) => bill.payments.some(({ isReversed }) => !isReversed)),
  reverse,
)
const cancelBill: Act = withOne(
  ({ school }) =>
    school.bills.filter((bill) => bill.state !== 'void' && bill.payments.every(({ isReversed }) => isReversed)),
  voidBill,
)
const mendDraft: Act = withOne(
  ({ school }) => school.bills.filter(({ state, lines, run }) => state === 'draft' && run !== null && lines.length > 1),
  (desk, bill, chance) => takeOut(desk, bill, chance.one(bill.lines)),
)
const billByHand: Act = withOne(students('active'), async (desk, student, chance) => {
  const fees = desk.school.fees.filter(({ recurrence }) => recurrence === 'monthly')
  const fee = chance.one(fees)
  await invoiceByHand(desk, student.id, fee)
})

const USUAL: readonly [share: number, act: Act][] = [
  [10, enrollLate],
  [9, leave],
  [6, change],
  [2, end],
  [4, takeABreak],
  [5, returnToClass],
  [1, goAway],
  [3, changeOffice],
  [6, cancel],
  [6, reschedule],
  [4, note],
  [3, add],
  [18, payPart],
  [8, payFamily],
  [3, bounce],
  [2, cancelBill],
  [2, mendDraft],
  [2, billByHand],
  [4, giveDiscount],
  [2, endDiscount],
]

/** What happens a few times in a year, however large the school is. */
const RARE: readonly [share: number, act: Act][] = [
  [3, shutDown],
  [2, reopen],
  [3, shift],
  [1, shorten],
  [2, lengthen],
  [1, beginLater],
  [1, completeGroup],
  [1, cancelGroup],
]

const drawn = (acts: typeof USUAL, chance: Chance): Act => {
  const of = acts.reduce((sum, [share]) => sum + share, 0)
  let left = chance.int(1, of)
  for (const [share, act] of acts) {
    left -= share
    if (left <= 0) return act
  }
  throw new Error('The shares do not add up.')
}

/** Draws what comes up today. */
export const officeDay = async (desk: Desk, chance: Chance, acts: number): Promise<void> => {
  for (let nth = 0; nth < acts; nth += 1) await drawn(USUAL, chance)(desk, chance)
  if (chance.percent(16)) await drawn(RARE, chance)(desk, chance)
}
