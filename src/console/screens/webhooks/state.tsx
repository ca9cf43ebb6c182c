import { Badge, type Meaning } from '../../parts/notice.tsx'
import { useWords } from '../../words/language.tsx'
import type { Webhook } from './reads.ts'

type State = 'on' | 'paused' | 'off' | 'failing'

const MEANINGS: Readonly<Record<State, Meaning | undefined>> = {
  on: 'good',
  paused: undefined,
  off: 'bad',
  failing: 'warn',
}

export const stateOf = ({ isActive, disabledAt, failureCount }: Webhook): State => {
  if (disabledAt !== null) return 'off'
  if (!isActive) return 'paused'
  return failureCount > 0 ? 'failing' : 'on'
}

export const StateBadge = ({ of }: { of: Webhook }) => {
  const { webhooks: words } = useWords()
  const state = stateOf(of)
  const meaning = MEANINGS[state]
  return <Badge {...(meaning && { meaning })}>{words.state[state]}</Badge>
}
