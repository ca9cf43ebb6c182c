import { useLocation } from 'wouter'
import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange, useGet } from '../../api/queries.ts'
import { Choice } from '../../parts/choose.tsx'
import { DateField } from '../../parts/date-field.tsx'
import { LongField } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { readGroup, readGroups } from '../../records/group/reads.ts'
import { useEnrollments } from '../../records/student/reads.ts'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

interface ReportSheetProps {
  student: Schemas['StudentDetail']
  isOpen: boolean
  onClose: () => void
}

/** Writes a draft: the server computes attendance and results of the period. */
export const ReportSheet = ({ student, isOpen, onClose }: ReportSheetProps) => {
  const { reports: words } = useWords()
  return (
    <Sheet title={words.writeTitle(student.fullName)} isOpen={isOpen} onClose={onClose}>
      <ReportForm studentId={student.id} onClose={onClose} />
    </Sheet>
  )
}

const ALL = 'all'
const MOST_GROUPS = 100

/** Of which groups one writes: those of the student, which are few, or a teacher’s own, where one sees no more. */
const useGroups = (studentId: string): { id: string; label: string }[] => {
  const { can } = useMe()
  const isSeen = can('enrollments.read')
  const enrollments = useEnrollments(studentId, !isSeen)
  const ids = [...new Set(enrollments.data?.map(({ groupId }) => groupId))]
  const groups = useGet(
    ['/groups', 'to-write-of', ids],
    async (signal) =>
      isSeen
        ? Promise.all(ids.map((id) => readGroup(id, signal)))
        : (await readGroups({ limit: MOST_GROUPS }, signal)).data,
    { isOff: isSeen && enrollments.data === undefined },
  )
  return (groups.data ?? []).map(({ id, name }) => ({ id, label: name }))
}

const ReportForm = ({ studentId, onClose }: { studentId: string; onClose: () => void }) => {
  const { reports: words, shell } = useWords()
  const { can } = useMe()
  const [, go] = useLocation()
  const today = useFormat().today()
  const isOffice = can('reports.write')
  const groups = useGroups(studentId)
  const write = useChange('report', (body: Schemas['NewProgressReport'], header) =>
    answer(api.POST('/progress-reports', { params: { header }, body })),
  )
  const form = useForm<{
    groupId: string | null
    periodStart: string | null
    periodEnd: string | null
    comment: string
  }>({
    start: { groupId: isOffice ? ALL : null, periodStart: `${today.slice(0, 8)}01`, periodEnd: today, comment: '' },
    bounds: BOUNDS.NewProgressReport,
    missing: { periodStart: words.missing, periodEnd: words.missing },
    refused: { groupId: words.notInGroup },
    refusals: { own_groups_only: 'groupId' },
    rules: ({ periodStart, periodEnd }) => ({
      periodEnd: periodStart !== null && periodEnd !== null && periodEnd < periodStart && words.backwards,
    }),
    send: async ({ groupId, periodStart, periodEnd, comment }) => {
      const { id } = await write.mutateAsync({
        studentId,
        groupId: groupId === ALL ? null : groupId,
        periodStart: periodStart ?? '',
        periodEnd: periodEnd ?? '',
        comment: comment.trim() || null,
      })
      toast(words.written)
      onClose()
      go(`/progress-reports/${id}`)
    },
  })
  return (
    <Form form={form} verb={words.save} onCancel={onClose} cancelVerb={shell.leaveIt}>
      <Choice
        label={words.group}
        options={[...(isOffice ? [{ id: ALL, label: words.allGroups }] : []), ...groups]}
        {...form.field('groupId')}
      />
      <DateField label={words.from} {...form.field('periodStart')} />
      <DateField label={words.to} {...form.field('periodEnd')} />
      <LongField label={words.comment} hint={words.commentHint} isOptional {...form.field('comment')} />
    </Form>
  )
}
