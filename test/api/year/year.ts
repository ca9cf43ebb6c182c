import { sweepOverdueJob } from '#modules/billing/sweep.ts'
import { sweepEndsJob } from '#modules/groups/sweep-ends.ts'
import { sweepDaysJob } from '#modules/people/students/sweep-days.ts'
import { sweepFormerJob } from '#modules/rollover/end-former.ts'
import { sweepAheadJob } from '#modules/sessions/sweep-ahead.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import type { TestApp } from '#kit/app.ts'
import { makeInstitute } from '#kit/institute.ts'
import { chanceOf, type Chance } from './chance.ts'
import {
  checkAttendance,
  checkBills,
  checkDebts,
  checkEnrollments,
  checkLessons,
  checkSampledRosters,
} from './checks.ts'
import { daysFrom, instantOf, monthOf, plusDays, weekdayOf } from './days.ts'
import { Desk } from './desk.ts'
import { setSiblings, SIBLINGS_SINCE } from './discounts.ts'
import type { Bill } from './facts.ts'
import { changeAmount, issue, runFees, voidBill, voidRun } from './money.ts'
import { officeDay } from './office-day.ts'
import { drop, openEnrollments, standUp } from './people.ts'
import { prepareNextYear, rollOver, turnTheYear } from './rollover.ts'
import { FIRST_DAY, foundSchool, LAST_DAY, secondTerm, TERMS, type Size } from './school.ts'
import { close, lessonsOn, setZone, takeAttendance } from './teaching.ts'

/** The zone with which an institute began that nobody had asked for its own. */
const WRONG_ZONES = ['UTC', 'Asia/Tokyo', 'America/New_York'] as const
const RIGHT_ZONE = 'Asia/Jerusalem'
const ZONE_IS_SET_RIGHT = '2026-09-14'
const SPRING_IS_PLANNED = '2027-01-10'
const NEXT_YEAR_IS_PREPARED = '2027-07-05'
/** When the office lets groups go on: most of them in the summer, some when the new year has begun. */
const GROUPS_GO_ON = ['2027-07-06', '2027-08-19', '2027-09-06']
const NEXT_FIRST_DAY = '2027-09-01'
const NEXT_TERM = { name: 'Autumn 2027', startsOn: NEXT_FIRST_DAY }
const LAST_DAY_PLAYED = '2027-11-05'
const PEOPLE_LOOKED_AT = 25
const PERMISSIONS = [
  'students.write',
  'guardians.write',
  'branches.manage',
  'settings.manage',
  'courses.write',
  'groups.write',
  'enrollments.write',
  'attendance.mark',
  'invoices.write',
  'payments.record',
  'staff.write',
]

export interface YearSize extends Size {
  /** What comes up at the desk in a day. */
  acts: number
  /** Of a hundred lessons, those whose attendance is taken. */
  marked: number
}

export interface Played {
  /** What the program and the second computation do not agree on. */
  found: string[]
  figures: Record<string, number>
}

class Year {
  readonly #app: TestApp
  readonly #desk: Desk
  readonly #chance: Chance
  readonly #size: YearSize
  readonly found: string[] = []
  runs = 0
  #courses: string[] = []
  #activeStaff: ReadonlySet<string> = new Set()

  constructor(app: TestApp, desk: Desk, chance: Chance, size: YearSize) {
    this.#app = app
    this.#desk = desk
    this.#chance = chance
    this.#size = size
  }

  /** What the program does by itself when a day begins. */
  async #morning(day: string): Promise<void> {
    this.#desk.goTo(day, '00:10')
    await runInTransaction(this.#app.app.runtime, systemAuditContext('test'), async (unit) => {
      unit.system().enqueue(sweepDaysJob, {})
      unit.system().enqueue(sweepEndsJob, {})
      unit.system().enqueue(sweepOverdueJob, {})
      unit.system().enqueue(sweepFormerJob, {})
      unit.system().enqueue(sweepAheadJob, {})
    })
    await this.#desk.drain()
    standUp(this.#desk)
    turnTheYear(this.#desk)
    this.#desk.goTo(day, '10:00')
  }

  async #evening(day: string): Promise<void> {
    const known = await lessonsOn(this.#desk, day)
    this.#desk.goTo(day, '23:00')
    for (const one of known.filter(() => this.#chance.percent(this.#size.marked))) {
      await takeAttendance(this.#desk, one, () =>
        this.#chance.one(['present', 'present', 'present', 'absent', 'late', 'excused']),
      )
    }
  }

  async #run(month: string, branch?: string): Promise<{ id: string; bills: Bill[] }> {
    const { id, bills, found } = await runFees(this.#desk, month, branch)
    this.found.push(...found)
    this.runs += 1
    return { id, bills }
  }

  /** Fees that were wrong are found out after some invoices have gone out: all are void, and the month is run again. */
  async #runAtWrongPrice(month: string): Promise<void> {
    const fees = this.#desk.school.fees.filter(({ price }) => price === 'schedule')
    const right = fees.map(({ amountMinor }) => amountMinor)
    for (const fee of fees) await changeAmount(this.#desk, fee, fee.amountMinor * 10)
    const wrong = await this.#run(month)
    const sent = this.#chance.some(wrong.bills, 3)
    await issue(this.#desk, sent)
    await voidRun(this.#desk, wrong.id)
    for (const bill of sent) await voidBill(this.#desk, bill)
    for (const [nth, fee] of fees.entries()) await changeAmount(this.#desk, fee, right[nth] as number)
    await this.#run(month)
  }

  /** Somebody leaves on the first of the month, and only then the month before is run. */
  async #runLate(month: string): Promise<void> {
    const since = (days: number) => plusDays(this.#desk.today, days)
    for (const one of this.#chance.some(openEnrollments(this.#desk), 4)) {
      const day = this.#chance.one([since(-1), since(0), undefined])
      if (one.from.day <= (day ?? this.#desk.today)) await drop(this.#desk, one, day)
    }
    await this.#run(month)
  }

  async #bill(day: string): Promise<void> {
    const { school } = this.#desk
    const [month, former] = [monthOf(day), monthOf(plusDays(`${monthOf(day)}-01`, -1))]
    if (month < '2026-09') return
    if (day === '2026-11-01') await this.#runLate('2026-10')
    if (month === '2026-10' || month === '2027-07' || month === '2027-08') return
    if (!day.endsWith(month === '2026-11' ? '-03' : '-02')) {
      // Those whose group went on when the month had been billed.
      if (day === '2027-09-07') await this.#run(month)
      if (this.#chance.percent(4)) await this.#run(this.#chance.one([month, former]))
      return
    }
    if (month === '2026-12') await this.#runAtWrongPrice(month)
    else if (month === '2027-01') for (const branch of school.branches) await this.#run(month, branch)
    else await this.#run(month)
  }

  async #issueDrafts(): Promise<void> {
    const drafts = this.#desk.school.bills.filter(({ state }) => state === 'draft')
    await issue(this.#desk, this.#chance.some(drafts, Math.ceil(drafts.length * 0.9)))
  }

  async #check(day: string): Promise<void> {
    const { school } = this.#desk
    const people = this.#chance.some(school.students, PEOPLE_LOOKED_AT).map(({ id }) => id)
    this.found.push(
      ...(await checkLessons(this.#desk)),
      ...(await checkEnrollments(this.#desk)),
      ...(await checkSampledRosters(this.#desk, [0, this.#chance.int(1, 30), this.#chance.int(31, 120)])),
      ...(await checkAttendance(this.#desk, plusDays(day, -this.#chance.int(10, 90)), day)),
      ...(await checkBills(this.#desk)),
      ...(await checkDebts(this.#desk, people)),
    )
  }

  /** Lets the groups go on that do not yet; each time some are left for later. */
  async #nextYear(day: string): Promise<void> {
    const { school } = this.#desk
    if (day === NEXT_YEAR_IS_PREPARED) {
      await this.#desk.ask('PATCH', '/settings', { terms: [...TERMS, NEXT_TERM] })
      school.terms = [...TERMS, NEXT_TERM]
      const holiday = { name: 'Sukkot 2027', from: '2027-10-16', to: '2027-10-23', branch: null }
      await close(this.#desk, { ...holiday, isBilled: this.#chance.percent(50) })
      this.#activeStaff = await prepareNextYear(this.#desk, this.#chance)
    }
    if (!GROUPS_GO_ON.includes(day)) return
    const left = school.groups.filter(
      ({ id, status, former, endsOn }) =>
        status !== 'cancelled' &&
        former === null &&
        endsOn < NEXT_FIRST_DAY &&
        !school.groups.some((next) => next.former === id),
    )
    const groups = this.#chance.some(left, Math.ceil(left.length * 0.6))
    this.found.push(...(await rollOver(this.#desk, this.#chance, { groups, activeStaff: this.#activeStaff })))
  }

  async play(): Promise<void> {
    this.#desk.goTo(FIRST_DAY, '10:00')
    this.#courses = await foundSchool(this.#desk, this.#chance, this.#size)
    for (const day of daysFrom(plusDays(FIRST_DAY, 1), LAST_DAY_PLAYED)) {
      await this.#morning(day)
      if (day === ZONE_IS_SET_RIGHT) {
        await setZone(this.#desk, RIGHT_ZONE)
        this.#desk.goTo(day, '10:00')
      }
      const siblings = SIBLINGS_SINCE[day]
      if (siblings) await setSiblings(this.#desk, siblings)
      if (day === SPRING_IS_PLANNED) {
        await secondTerm(this.#desk, this.#chance, { groups: Math.ceil(this.#size.groups / 2), courses: this.#courses })
      }
      await this.#nextYear(day)
      const isSummer = day > LAST_DAY && day < NEXT_FIRST_DAY
      const acts = isSummer ? 1 : this.#size.acts
      if (weekdayOf(day) < 5 && day >= '2026-09-01') await officeDay(this.#desk, this.#chance, acts)
      await this.#bill(day)
      if (day.endsWith('-08') || day.endsWith('-20')) await this.#issueDrafts()
      if (day.endsWith('-25') || day === LAST_DAY || day === LAST_DAY_PLAYED) await this.#check(day)
      await this.#evening(day)
      // What is wrong once is wrong ever after.
      if (this.found.length > 0) return
    }
  }
}

/** Plays a year that follows from its seed. */
export const playYear = async (app: TestApp, seed: number, size: YearSize): Promise<Played> => {
  const chance = chanceOf(seed)
  const zone = chance.one(WRONG_ZONES)
  app.clock.set(instantOf(FIRST_DAY, '08:00', zone))
  const { owner, branchId } = await makeInstitute(app, { timezone: zone })
  // Nobody stays signed in for a year.
  const { key } = (await owner.post('/api-keys', { name: 'Office', permissions: PERMISSIONS })).body
  const desk = new Desk(app, { client: owner.as(key), branchId, zone })
  const year = new Year(app, desk, chance, size)
  await year.play()
  const { students, groups, enrollments, closures, bills, marks } = desk.school
  return {
    found: year.found,
    figures: {
      students: students.length,
      groups: groups.length,
      enrollments: enrollments.length,
      closures: closures.length,
      lessons: groups.reduce((sum, { lessons }) => sum + lessons.length, 0),
      marks: marks.length,
      runs: year.runs,
      invoices: bills.length,
      lines: bills.reduce((sum, { lines }) => sum + lines.length, 0),
      payments: bills.reduce((sum, { payments }) => sum + payments.length, 0),
      requests: desk.requests,
    },
  }
}
