import type { Schemas } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { explain } from '../../parts/problem-notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useStatusChange } from './status-sheet.tsx'

/** What is known of days to come: a pause, or a last day, and the way to take it back. */
export const Ahead = ({ student }: { student: Schemas['StudentDetail'] }) => {
  const all = useWords()
  const { standing: words } = all
  const format = useFormat()
  const { can, institute } = useMe()
  const change = useStatusChange(student.id)
  const { status, pausedFrom, pausedTo, leftOn, leavingAs } = student
  const to = pausedTo === null ? null : format.date(pausedTo)
  const told = [
    pausedFrom !== null && (status === 'paused' ? words.pauses : words.willPause)(format.date(pausedFrom), to),
    leavingAs !== null && leftOn !== null && words.willLeave[leavingAs](format.date(leftOn)),
    leavingAs === null && leftOn !== null && words.left(format.date(leftOn)),
  ].filter((one) => one !== false)
  if (told.length === 0) return null
  const isAhead = leavingAs !== null || (pausedFrom !== null && status === 'active')
  const takeBack = () =>
    change.mutate(
      { status: 'active' },
      {
        onSuccess: () => toast(words.tookBack(student.fullName)),
        onError: (error) => toast(explain(all, error)),
      },
    )
  return (
    <Notice meaning="info" icon="clock">
      <span className="grow">{format.list(told)}</span>
      {isAhead && can('students.write') && !institute.isReadOnly && (
        <Button isBusy={change.isPending} onPress={takeBack}>
          {words.takeBack}
        </Button>
      )}
    </Notice>
  )
}
