import { useLocation } from 'wouter'
import { answer, api } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Check } from '../../parts/choose.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Menu, type MenuEntry } from '../../parts/menu.tsx'
import { Badge } from '../../parts/notice.tsx'
import { explain } from '../../parts/problem-notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import type { Cheque, Status } from './reads.ts'

export type Act = 'bounce' | 'giveBack' | 'replace'

const MEANINGS: Readonly<Partial<Record<Status, 'good' | 'warn' | 'bad' | 'info'>>> = {
  held: 'info',
  due: 'warn',
  deposited: 'info',
  cleared: 'good',
  bounced: 'bad',
}

/** What can be done with a cheque, by how it stands. The server says by itself what it refuses. */
const ACTS: Readonly<Record<Act, readonly Status[]>> = {
  bounce: ['due', 'deposited', 'cleared'],
  giveBack: ['held', 'due'],
  replace: ['held', 'due', 'bounced'],
}

interface RowProps {
  cheque: Cheque
  /** undefined: it cannot be ticked. */
  choose: { isChosen: boolean; onChange: (isChosen: boolean) => void } | undefined
  onAct: (act: Act) => void
}

export const ChequeLine = ({ cheque, choose, onAct }: RowProps) => {
  const all = useWords()
  const { cheques: words } = all
  const format = useFormat()
  const { can } = useMe()
  const [, go] = useLocation()
  const { number, payerName, bank, branch, account, amount, dueOn, status, reason } = cheque
  const clear = useChange('cheque', (_, header) =>
    answer(api.POST('/cheques/{id}/clear', { params: { path: { id: cheque.id }, header } })),
  )
  const markCleared = () =>
    clear.mutate(undefined, {
      onSuccess: () => toast(words.cleared),
      onError: (error) => toast(explain(all, error)),
    })
  const entries: MenuEntry[] = [
    { id: 'receipt', label: words.openReceipt, onSelect: () => go(`/receipts/${cheque.receiptId}`) },
  ]
  if (can('payments.record')) {
    if (status === 'due' || status === 'deposited')
      entries.push({ id: 'clear', label: words.markCleared, onSelect: markCleared })
    for (const act of ['replace', 'giveBack', 'bounce'] as const)
      if (ACTS[act].includes(status))
        entries.push({ id: act, label: words[act], isDangerous: act !== 'replace', onSelect: () => onAct(act) })
  }
  const meaning = MEANINGS[status]
  const said = (
    <>
      <bdi className="name">{payerName}</bdi>
      <span className="about">
        <Dotted>
          <bdi>{format.date(dueOn)}</bdi>
          <span className="ltr">{number}</span>
          <span className="ltr">{words.of(bank, branch, account)}</span>
          {reason !== null && <span dir="auto">{reason}</span>}
        </Dotted>
      </span>
    </>
  )
  return (
    <div className="row cheque">
      {choose ? (
        <Check isChecked={choose.isChosen} onChange={choose.onChange} aria-label={words.choose(number, payerName)}>
          {said}
        </Check>
      ) : (
        <span className="grow">{said}</span>
      )}
      <span className="ends">
        <Badge {...(meaning && { meaning })}>{words.statuses[status]}</Badge>
        <bdi className="amount">{format.money(amount)}</bdi>
      </span>
      <Menu label={words.actions(number)} entries={entries} />
    </div>
  )
}
