import { compiledInTenant } from '#db/queries/compiled.ts'
import { reportRecord, type ProgressReport } from '#modules/progress-reports/index.ts'
import type { Block } from '#ports/papers/port.ts'
import { readRecord } from '#runtime/records/records.ts'
import type { InferOutput } from 'valibot'
import { facts, languageOf, type Language, type MakePaper } from './frame.ts'
import { partyOf } from './people.ts'
import type { LocaleQuery } from './schemas.ts'
import { code, percent, written } from './text.ts'

type Report = InferOutput<typeof ProgressReport>

const groupById = compiledInTenant((whole, { id }: { id: string }) =>
  whole
    .selectFrom('group')
    .innerJoin('course', 'course.id', 'group.course_id')
    .select(['group.name', 'course.name as course_name'])
    .where('group.id', '=', id),
)

const examsOf = ({ exams, average }: Report, { words: { report: words } }: Language): Block[] =>
  exams.length === 0
    ? []
    : [
        {
          kind: 'table',
          title: words.exams,
          columns: [
            { head: words.exam, align: 'start', width: 'share' },
            { head: words.kind, align: 'start', width: 'content' },
            { head: words.score, align: 'right', width: 'content' },
          ],
          rows: exams.map(({ title, kind, score, maxScore }) => [
            written(title),
            words.kinds[kind],
            score === null ? words.missed : code(`${score} / ${maxScore}`),
          ]),
        },
        ...(average === null
          ? []
          : [{ kind: 'sums' as const, sums: [{ label: words.average, value: percent(average) }] }]),
      ]

/** @throws NotFound */
export const reportPaper: MakePaper<LocaleQuery> = async ({ db, whole, tenant }, id, { locale }) => {
  const report = await readRecord(db, reportRecord, id)
  const party = await partyOf(whole, report.studentId)
  const [group] = report.groupId === null ? [] : await groupById(whole, { id: report.groupId })
  const language = languageOf(tenant, locale ?? party.locale)
  const { words, dates } = language
  const { attendance, comment } = report
  return {
    language,
    draft: {
      number: code(party.student.studentNumber),
      fileName: `${words.report.title} ${party.student.studentNumber} ${report.periodEnd}`,
      title: words.report.title,
      date: report.periodEnd,
      branchId: party.branchId,
      footer: null,
      isOfficial: false,
      mark: report.status === 'draft' ? words.draft : null,
      blocks: [
        facts(
          [words.student, written(party.student.fullName)],
          [words.report.from, dates.day(report.periodStart)],
          [words.report.group, group ? written(group.name) : null],
          [words.report.to, dates.day(report.periodEnd)],
          [words.report.course, group ? written(group.course_name) : null],
        ),
        {
          kind: 'table',
          title: words.report.attendance,
          columns: (['present', 'late', 'absent', 'excused', 'rate'] as const).map((figure) => ({
            head: words.report[figure],
            align: 'center',
            width: 'share',
          })),
          rows: [
            [
              code(attendance.present),
              code(attendance.late),
              code(attendance.absent),
              code(attendance.excused),
              attendance.rate === null ? '' : percent(attendance.rate),
            ],
          ],
        },
        ...examsOf(report, language),
        ...(comment === null ? [] : [{ kind: 'text' as const, title: words.report.comment, text: written(comment) }]),
        { kind: 'signatures', labels: [words.roster.teacher, words.certificate.signature] },
      ],
    },
  }
}
