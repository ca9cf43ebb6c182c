import { Badge, type Meaning } from '../../parts/notice.tsx'
import { useWords } from '../../words/language.tsx'
import type { Subscription } from './reads.ts'

const MEANINGS: Readonly<Record<Subscription['status'], Meaning>> = {
  trialing: 'info',
  active: 'good',
  past_due: 'warn',
  cancelled: 'bad',
  expired: 'warn',
}

/** How a subscription stands. */
export const SubscriptionState = ({ of: { status } }: { of: Pick<Subscription, 'status'> }) => {
  const { platform } = useWords()
  return <Badge meaning={MEANINGS[status]}>{platform.subscription.states[status]}</Badge>
}
