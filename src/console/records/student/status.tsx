import type { Schemas } from '../../api/client.ts'
import { Badge, type Meaning } from '../../parts/notice.tsx'
import { useWords } from '../../words/language.tsx'

type Status = Schemas['Student']['status']

const MEANINGS: Readonly<Record<Status, Meaning | undefined>> = {
  lead: 'info',
  active: 'good',
  paused: 'warn',
  graduated: undefined,
  withdrawn: undefined,
}

export const StudentStatus = ({ status }: { status: Status }) => {
  const { people } = useWords()
  const meaning = MEANINGS[status]
  return <Badge {...(meaning && { meaning })}>{people.statuses[status]}</Badge>
}
