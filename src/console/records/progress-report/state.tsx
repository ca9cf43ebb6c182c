import { Badge } from '../../parts/notice.tsx'
import { useWords } from '../../words/language.tsx'
import type { Report } from './reads.ts'

type State = 'draft' | 'returned' | 'submitted' | 'sent'

const MEANINGS = { returned: 'warn', submitted: 'info', sent: 'good' } as const

const stateOf = ({ status, submittedAt, remark }: Report): State => {
  if (status === 'sent') return 'sent'
  if (submittedAt !== null) return 'submitted'
  return remark === null ? 'draft' : 'returned'
}

/** How a report stands. */
export const ReportState = ({ report }: { report: Report }) => {
  const { reports: words } = useWords()
  const state = stateOf(report)
  return <Badge {...(state !== 'draft' && { meaning: MEANINGS[state] })}>{words.states[state]}</Badge>
}
