import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#kernel/basics/ids.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { engine, startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { volume } from '#kit/volume.ts'
import { newFeeSchedule } from '../examples/fees.ts'
import { newGroup } from '../examples/sessions.ts'

/**
 * Whom a run charges, compared with a count over the days of the month that is made here, for schools of random groups,
 * enrollments and pauses.
 */

let app: TestApp

beforeAll(async () => {
  app = await startApp({ chance: true })
})
afterAll(() => app.close())

const SCHOOLS = engine === 'postgres' ? volume(15, 150) : volume(60, 600)
const GROUPS = 3
const STUDENTS = 5
const MONTHS = ['2026-01', '2026-02', '2026-03'] as const

/** Days of four months, more often those where months meet. */
const day = fc.oneof(
  fc.constantFrom('2025-12-31', '2026-01-01', '2026-01-31', '2026-02-01', '2026-02-28', '2026-03-01'),
  fc.integer({ min: 0, max: 120 }).map((at) => new Date(Date.UTC(2025, 11, 1 + at)).toISOString().slice(0, 10)),
)
const maybeDay = fc.option(day, { nil: null })
/** In winter, Jerusalem is two hours ahead: the last two begin the next day there. */
const instant = fc
  .tuple(day, fc.constantFrom('08:00', '21:59', '22:00', '23:30'))
  .map(([date, time]) => `${date}T${time}:00.000Z`)

const inOrder = (from: string | null, to: string | null): [string | null, string | null] =>
  from !== null && to !== null && to < from ? [to, from] : [from, to]

const group = fc
  .record({
    status: fc.constantFrom('active' as const, 'active' as const, 'planned' as const, 'cancelled' as const),
    // Of a group that was cancelled long ago, nobody knows when.
    status_since: fc.option(instant, { nil: null }),
    days: fc.tuple(maybeDay, maybeDay),
  })
  .map(({ status, status_since, days: [from, to] }) => {
    const [starts_on, ends_on] = inOrder(from, to)
    return { status, status_since, starts_on, ends_on }
  })

const enrollment = fc
  .record({
    student: fc.nat(STUDENTS - 1),
    group: fc.nat(GROUPS - 1),
    times: fc.tuple(instant, fc.option(instant, { nil: null })),
    ending: fc.constantFrom('dropped' as const, 'completed' as const),
  })
  .map(({ times, ...one }) => {
    const [enrolled_at, ended_at] = inOrder(times[0], times[1]) as [string, string | null]
    return { ...one, enrolled_at, ended_at }
  })

const school = fc.record({
  groups: fc.array(group, { minLength: GROUPS, maxLength: GROUPS }),
  // A student is in a group once at a time, and here once at all.
  enrollments: fc.uniqueArray(enrollment, {
    selector: ({ student, group: nth }) => student * GROUPS + nth,
    maxLength: STUDENTS * 2,
  }),
  pauses: fc.array(
    fc.record({ student: fc.nat(STUDENTS - 1), days: fc.tuple(day, maybeDay) }).map(({ student, days: [from, to] }) => {
      const [paused_from, paused_to] = inOrder(from, to) as [string, string | null]
      return { student, paused_from, paused_to }
    }),
    { maxLength: 4 },
  ),
})
type School = typeof school extends fc.Arbitrary<infer T> ? T : never

interface Made {
  institute: TestInstitute
  groupIds: string[]
  studentIds: string[]
  enrollmentIds: string[]
  /** The fee of each group, and that of the course. */
  feeIds: string[]
}

const makeSchool = async ({ groups, enrollments, pauses }: School): Promise<Made> => {
  app.clock.set('2026-04-02T08:00:00.000Z')
  const institute = await makeInstitute(app)
  const first = await newGroup(institute)
  const { courseId } = (await institute.owner.get(`/groups/${first}`)).body
  const groupIds = [first]
  while (groupIds.length < GROUPS) {
    const fields = { courseId, branchId: institute.branchId, name: `Group ${groupIds.length}` }
    groupIds.push((await institute.owner.post('/groups', fields)).body.id)
  }
  const feeIds = []
  for (const groupId of groupIds) feeIds.push(await newFeeSchedule(institute, { groupId }))
  feeIds.push(await newFeeSchedule(institute, { courseId }))
  const studentIds = Array.from({ length: STUDENTS }, newId)
  const enrollmentIds = enrollments.map(newId)
  await runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) => {
    const { whole, now } = unit.tenant(institute.tenant, 'all')
    const made = { created_at: now, updated_at: now }
    for (const [nth, id] of studentIds.entries()) {
      const names = {
        first_name: 'Dana',
        last_name: `Levi ${nth}`,
        search_text: 'dana levi',
        status: 'active' as const,
      }
      const nothing = { email: null, phone: null, national_id: null, birth_date: null, gender: null, address: null }
      const fields = { branch_id: institute.branchId, student_number: `S-00000${nth + 1}`, tags: [], notes: null }
      const row = { ...names, ...nothing, ...fields, ...made, id, user_id: null }
      await whole.insertInto('student').values(row).execute()
    }
    for (const [nth, row] of groups.entries()) {
      await whole
        .updateTable('group')
        .set(row)
        .where('id', '=', groupIds[nth] as string)
        .execute()
    }
    for (const [nth, { student, group: of, ending, enrolled_at, ended_at }] of enrollments.entries()) {
      const row = {
        ...made,
        id: enrollmentIds[nth] as string,
        student_id: studentIds[student] as string,
        group_id: groupIds[of] as string,
        status: ended_at === null ? ('active' as const) : ending,
        price_minor: 45_000,
        currency: 'ILS' as const,
        price_overridden: false,
        enrolled_at,
        dropped_at: ending === 'dropped' ? ended_at : null,
        drop_reason: null,
        completed_at: ending === 'completed' ? ended_at : null,
        ended_at,
      }
      await whole.insertInto('enrollment').values(row).execute()
    }
    for (const { student, paused_from, paused_to } of pauses) {
      const row = {
        ...made,
        id: newId(),
        student_id: studentIds[student] as string,
        paused_from,
        paused_to,
        begins_at: null,
        ends_at: null,
      }
      await whole.insertInto('student_pause').values(row).execute()
    }
  })
  return { institute, groupIds, studentIds, enrollmentIds, feeIds }
}

const jerusalem = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Jerusalem' })
const dayThere = (instantOf: string): string => jerusalem.format(new Date(instantOf))

const daysOfMonth = (month: string): string[] =>
  Array.from({ length: 31 }, (_, at) => `${month}-${String(at + 1).padStart(2, '0')}`).filter(
    (date) => new Date(`${date}T12:00:00Z`).toISOString().slice(0, 10) === date,
  )

/** Whether this enrollment is charged for the month, else why not: looks at one day after the other. */
const verdictOf = ({ groups, pauses }: School, one: School['enrollments'][number], month: string): string => {
  const { status, status_since: since, starts_on, ends_on } = groups[one.group] as School['groups'][number]
  const days = daysOfMonth(month)
  const [enrolledOn, endedOn] = [dayThere(one.enrolled_at), one.ended_at === null ? null : dayThere(one.ended_at)]
  const ofGroup = days.filter((d) => (starts_on === null || starts_on <= d) && (ends_on === null || d <= ends_on))
  const ofStudent = days.filter((d) => enrolledOn <= d && (endedOn === null || d <= endedOn))
  const ofBoth = ofGroup.filter((d) => ofStudent.includes(d))
  const isPaused = (d: string): boolean =>
    pauses.some(
      ({ student, paused_from: from, paused_to: to }) =>
        student === one.student && from <= d && (to === null || d <= to),
    )
  // The day on which it was cancelled is none on which it was not.
  const takesPlace = (d: string): boolean => status !== 'cancelled' || (since !== null && d < dayThere(since))
  if (!takesPlace(days[0] as string)) return 'group_cancelled'
  const held = ofBoth.filter(takesPlace)
  if (held.some((d) => !isPaused(d))) return 'charged'
  if (held.length > 0) return 'paused'
  if (ofBoth.length > 0) return 'group_cancelled'
  const [firstDay, lastDay] = [days[0] as string, days.at(-1) as string]
  if (ofGroup.length === 0) return ends_on !== null && ends_on < firstDay ? 'group_over' : 'group_not_begun'
  if (ofStudent.length === 0) return enrolledOn > lastDay ? 'enrolled_later' : 'left_before'
  return (ofStudent[0] as string) > (ofGroup.at(-1) as string) ? 'group_over' : 'group_not_begun'
}

/** What a run of the month comes to: for each student and fee, the enrollment that is charged, or why there is none. */
const expectedOf = (made: Made, given: School, month: string): Map<string, string> => {
  const expected = new Map<string, string>()
  const { studentIds, feeIds, enrollmentIds } = made
  const judged = given.enrollments.map((one, nth) => ({
    one,
    id: enrollmentIds[nth] as string,
    verdict: verdictOf(given, one, month),
  }))
  for (const [student, studentId] of studentIds.entries()) {
    const own = judged
      .filter(({ one }) => one.student === student)
      .toSorted((a, b) => (`${a.one.enrolled_at} ${a.id}` < `${b.one.enrolled_at} ${b.id}` ? 1 : -1))
    for (const [nth, feeId] of feeIds.entries()) {
      const looked = nth === GROUPS ? own : own.filter(({ one }) => one.group === nth)
      const chosen = looked.find(({ verdict }) => verdict === 'charged') ?? looked[0]
      if (chosen) expected.set(`${studentId} ${feeId}`, chosen.verdict === 'charged' ? chosen.id : chosen.verdict)
    }
  }
  return expected
}

interface RunReply {
  id: string
  skipped: { studentId: string; feeScheduleId: string; reason: string }[]
  invoices: { id: string; studentId: string }[]
}

const found = async ({ institute: { owner } }: Made, run: RunReply): Promise<Map<string, string>> => {
  const outcome = new Map(run.skipped.map((one) => [`${one.studentId} ${one.feeScheduleId}`, one.reason]))
  for (const { id, studentId } of run.invoices) {
    const { lines } = (await owner.get(`/invoices/${id}`)).body
    for (const line of lines) outcome.set(`${studentId} ${line.feeScheduleId}`, line.enrollmentId)
  }
  return outcome
}

test(
  'a run charges whom the days of the month say, and names the reason of everybody else',
  { timeout: 600_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(school, async (given) => {
        const made = await makeSchool(given)
        const { owner } = made.institute
        for (const month of MONTHS) {
          const expected = expectedOf(made, given, month)
          const { body } = await owner.post('/billing/runs', { month })
          expect(await found(made, body)).toEqual(expected)
          // Void, it is run again and comes to the same; after that everybody was billed.
          await owner.post(`/billing/runs/${body.id}/void`, { reason: 'At a wrong price' })
          const again = (await owner.post('/billing/runs', { month })).body
          expect(await found(made, again)).toEqual(expected)
          const third = (await owner.post('/billing/runs', { month })).body
          expect(third.invoices).toEqual([])
        }
      }),
      { numRuns: SCHOOLS },
    )
  },
)
