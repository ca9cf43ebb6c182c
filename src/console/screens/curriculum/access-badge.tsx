import type { Schemas } from '../../api/client.ts'
import { Badge } from '../../parts/notice.tsx'
import { useWords } from '../../words/language.tsx'

/** What is not simply open. */
export const AccessBadge = ({ status }: { status: Schemas['CourseEnrollment']['status'] }) => {
  const { own } = useWords()
  if (status === 'pending') return <Badge meaning="warn">{own.pending}</Badge>
  if (status !== 'completed') return null
  return (
    <Badge meaning="good" icon="tick">
      {own.completed}
    </Badge>
  )
}
