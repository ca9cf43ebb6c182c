import type { InferOutput } from 'valibot'
import { compiledInTenant } from '#db/queries/compiled.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { localDate } from '#kernel/time/zone.ts'
import { ATTENDANCE_STATUSES, readGrid } from '#modules/attendance/index.ts'
import { enrollmentRecord, groupRecord } from '#modules/groups/index.ts'
import { fullName } from '#modules/people/index.ts'
import type { Block } from '#ports/papers/port.ts'
import { readRecord } from '#runtime/records/records.ts'
import { facts, languageOf, type Language, type MakePaper } from './frame.ts'
import { partyOf } from './people.ts'
import type { LocaleQuery, RosterPaperQuery } from './schemas.ts'
import { code, written } from './text.ts'

type Grid = Awaited<ReturnType<typeof readGrid>>

const staffById = compiledInTenant((whole, { id }: { id: string }) =>
  whole.selectFrom('staff').select(['first_name', 'last_name']).where('id', '=', id),
)

export const teacherOf = async (whole: ScopedDb, id: string | null): Promise<string | null> => {
  const [staff] = id === null ? [] : await staffById(whole, { id })
  return staff ? written(fullName(staff)) : null
}

/** With more sessions than this, the sheet lies on its long side. */
const MOST_UPRIGHT = 14

/** So many dates find room in one line beside the names. */
const MOST_BROAD = 8

const gridOf = ({ sessions, students }: Grid, { words: { roster: words } }: Language, zone: string): Block[] =>
  students.length === 0
    ? [{ kind: 'text', title: null, text: words.nobody }]
    : [
        {
          kind: 'table',
          title: null,
          columns: [
            { head: code('#'), align: 'start', width: 'content' },
            { head: words.student, align: 'start', width: 'share' },
            ...sessions.map(({ scheduledStart }) => {
              const [, month, day] = localDate(scheduledStart, zone).split('-')
              const isNarrow = sessions.length > MOST_BROAD
              const head = isNarrow ? `${code(`${day}.`)}\n${code(`${month}.`)}` : code(`${day}/${month}`)
              return { head, align: 'center', width: 'content' } as const
            }),
          ],
          rows: students.map(({ fullName: name, marks }, at) => [
            code(at + 1),
            written(name),
            ...marks.map((mark) => (mark === null ? '' : words.marks[mark])),
          ]),
        },
      ]

/** What each mark of the grid means. */
const legendOf = ({ words: { roster, report } }: Language): Block => ({
  kind: 'text',
  title: null,
  text: ATTENDANCE_STATUSES.map((status) => `${roster.marks[status]} = ${report[status]}`).join('   '),
})

/** @throws NotFound */
export const rosterPaper: MakePaper<InferOutput<typeof RosterPaperQuery>> = async (
  { db, whole, tenant },
  id,
  { locale, sessions },
) => {
  const group = await readRecord(db, groupRecord, id)
  const grid = await readGrid(whole, id, sessions)
  const language = languageOf(tenant, locale)
  const { words } = language
  return {
    language,
    draft: {
      number: written(group.name),
      fileName: `${words.roster.title} ${group.name}`,
      title: words.roster.title,
      date: null,
      branchId: group.branchId,
      footer: null,
      isOfficial: false,
      isWide: grid.sessions.length > MOST_UPRIGHT,
      blocks: [
        facts(
          [words.report.course, written(group.courseName)],
          [words.roster.teacher, await teacherOf(whole, group.teacherStaffId)],
          [words.roster.count, code(grid.students.length)],
          [words.roster.room, group.room === null ? null : written(group.room)],
        ),
        ...gridOf(grid, language, tenant.timezone),
        ...(grid.sessions.length === 0 ? [] : [legendOf(language)]),
      ],
    },
  }
}

/** @throws NotFound */
export const certificatePaper: MakePaper<LocaleQuery> = async ({ db, whole, tenant }, id, { locale }) => {
  const enrollment = await readRecord(db, enrollmentRecord, id)
  const party = await partyOf(whole, enrollment.studentId)
  const group = await readRecord(whole, groupRecord, enrollment.groupId)
  const language = languageOf(tenant, locale ?? party.locale)
  const { words, dates } = language
  const since = dates.dayOf(enrollment.enrolledAt)
  return {
    language,
    draft: {
      number: code(party.student.studentNumber),
      fileName: `${words.certificate.title} ${party.student.studentNumber}`,
      title: words.certificate.title,
      date: localDate(enrollment.enrolledAt, tenant.timezone),
      branchId: group.branchId,
      footer: null,
      isOfficial: true,
      blocks: [
        {
          kind: 'words',
          text: words.certificate[enrollment.status]({
            name: party.student.fullName,
            gender: party.gender,
            number: party.student.studentNumber,
            course: group.courseName,
            group: group.name,
            since,
            until: enrollment.droppedAt === null ? since : dates.dayOf(enrollment.droppedAt),
          }),
        },
        { kind: 'signatures', labels: [words.certificate.date, words.certificate.signature] },
      ],
    },
  }
}
