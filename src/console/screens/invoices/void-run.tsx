import { useState } from 'react'
import { answer, api } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { ReasonConfirm } from '../../parts/reason-confirm.tsx'
import { useWords } from '../../words/language.tsx'

interface VoidRunProps {
  runId: string
  /** How many drafts it made. */
  count: number
  onVoided: (count: number) => void
}

/** All drafts of a run at once, where something was wrong with it. */
export const VoidRun = ({ runId, count, onVoided }: VoidRunProps) => {
  const { invoices: words } = useWords()
  const [isAsked, setAsked] = useState(false)
  const makeVoid = useChange('invoice', (reason: string, header) =>
    answer(api.POST('/billing/runs/{id}/void', { params: { path: { id: runId }, header }, body: { reason } })),
  )
  return (
    <>
      <Button onPress={() => setAsked(true)}>{words.voidRun}</Button>
      <ReasonConfirm
        title={words.voidRunTitle(count)}
        verb={words.voidRun}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={async (reason) => onVoided((await makeVoid.mutateAsync(reason)).voided.length)}
      >
        <p className="soft">{words.voidRunText}</p>
      </ReasonConfirm>
    </>
  )
}
