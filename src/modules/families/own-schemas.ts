import * as v from 'valibot'
import { day, id, list, Money, orNull, ts } from '#kernel/values/schema.ts'
import { named } from '#kernel/values/named.ts'
import { ATTENDANCE_STATUSES } from '#modules/attendance/index.ts'
import { OwnMoney, ownMoneyWords } from '#modules/billing/index.ts'
import { OwnCourse } from '#modules/curriculum/index.ts'
import { OwnResult } from '#modules/exams/index.ts'
import { ProgressReport } from '#modules/progress-reports/index.ts'
import { ScheduledSession } from '#modules/my-day/index.ts'
import { FamilyChild, FamilyGroup, FamilyInvoice } from './schemas.ts'

const { id: reportId, groupId, periodStart, periodEnd, attendance, exams, average, comment } = ProgressReport.entries

const OwnReport = named(
  'OwnReport',
  v.object({ id: reportId, groupId, periodStart, periodEnd, attendance, exams, average, comment, sentAt: ts }),
  {
    groupId: 'The group that it is about; null: all groups of the student.',
    periodStart: 'The first day of the period.',
    periodEnd: 'The last day of the period.',
    attendance: 'What the student attended in the period.',
    exams: 'The published exams of the period.',
    average: 'The average of the exams by their weight, in percent; null: none counts.',
    comment: 'What the institute wrote to the family; null: nothing.',
    sentAt: 'When it was sent.',
  },
)
export type OwnReport = v.InferOutput<typeof OwnReport>

const { sessionId, groupName, room, scheduledStart, scheduledEnd, status, cancelReason } = ScheduledSession.entries

/** A lesson of today, and whether the student was there. */
const OwnLessonToday = named(
  'OwnLessonToday',
  v.object({
    sessionId,
    groupId: ScheduledSession.entries.groupId,
    groupName,
    room,
    scheduledStart,
    scheduledEnd,
    status,
    cancelReason,
    attendance: orNull(v.picklist(ATTENDANCE_STATUSES)),
    minutesLate: v.number(),
  }),
  {
    groupName: 'What the group is called.',
    room: 'Where it is; null: not said.',
    status: 'How the lesson stands.',
    cancelReason: 'Why it does not take place; null: it does, or nobody said.',
    attendance: 'Whether the student was there; null: not marked yet.',
    minutesLate: 'Minutes, above 0 with the attendance late only.',
  },
)

const OwnAbsence = named('OwnAbsence', v.object({ id, from: day, to: day, reason: v.string() }), {
  from: 'The first day, included.',
  to: 'The last day, included.',
  reason: 'Why the student does not come, as the family or the office said.',
})

const sight = {
  seesLearning: v.boolean(),
  seesMoney: v.boolean(),
}

const sightWords = {
  relation: 'What the caller is: the student, or a guardian of the student.',
  seesLearning: 'Whether the caller sees the lessons, attendance, marks and reports of the student.',
  seesMoney: 'Whether the caller sees what is to be paid for the student.',
  groups: 'The groups in which the student is enrolled now.',
}

const person = {
  studentId: id,
  fullName: v.string(),
  relation: v.picklist(['student', 'guardian']),
  ...sight,
  groups: list(FamilyGroup),
  attendanceRate30d: FamilyChild.entries.attendanceRate30d,
}

export const OwnFamily = named(
  'OwnFamily',
  v.object({
    people: list(
      named(
        'OwnFamilyPerson',
        v.object({
          ...person,
          today: list(OwnLessonToday),
          absence: orNull(OwnAbsence),
          nextSession: orNull(
            named(
              'NextSession',
              v.object({
                sessionId: id,
                groupId: id,
                groupName: v.string(),
                scheduledStart: ts,
                scheduledEnd: ts,
                room: orNull(v.string()),
              }),
              { groupName: 'What the group is called.', room: 'Where it is; null: not said.' },
            ),
          ),
          balance: orNull(Money),
          openInvoices: list(FamilyInvoice),
          reports: list(OwnReport),
        }),
        {
          ...sightWords,
          attendanceRate30d:
            '100 × (present + late) / (present + late + absent) of the last 30 days; null: nothing counts.',
          today: 'The lessons of today in the institute’s timezone, cancelled ones included, in order of time.',
          absence: 'That the student does not come today, as it was announced; null: nothing was announced.',
          nextSession: 'The session that goes on now or comes next; null: none is planned.',
          balance: 'What is still to be paid in the institute’s currency; null: the caller does not see it.',
          openInvoices: 'What was issued and is still to be paid, in every currency, first due first.',
          reports: 'The latest progress reports that were sent, latest first.',
        },
      ),
    ),
    isPaidOnline: v.boolean(),
  }),
  {
    people: 'The caller as a student, then the caller’s children by their first and last names.',
    isPaidOnline: 'Whether invoices can be paid by card now: POST /invoices/{id}/pay.',
  },
)
export type OwnFamily = v.InferOutput<typeof OwnFamily>

/** How many results, and how many announced absences, of a student. */
export const LATEST_RESULTS = 200

export const OwnStudent = named(
  'OwnStudent',
  v.object({
    ...person,
    absences: list(OwnAbsence),
    results: list(OwnResult),
    reports: list(OwnReport),
    courses: list(OwnCourse),
  }),
  {
    ...sightWords,
    attendanceRate30d: '100 × (present + late) / (present + late + absent) of the last 30 days; null: nothing counts.',
    absences: 'The absences that were announced and are not over, first begun first.',
    results: `The latest ${LATEST_RESULTS} results of published exams, latest first.`,
    reports: 'The latest progress reports that were sent, latest first.',
    courses: 'The video courses that the student was given, and how far they are; last given first.',
  },
)
export type OwnStudent = v.InferOutput<typeof OwnStudent>

export const OwnStudentMoney = named('OwnStudentMoney', v.object({ ...OwnMoney.entries, isPaidOnline: v.boolean() }), {
  ...ownMoneyWords,
  isPaidOnline: 'Whether invoices can be paid by card now: POST /invoices/{id}/pay.',
})
