import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { spread, sumOf } from '../../../shared/allocate.ts'
import type { Bill, OpenInvoice } from './payer.ts'

interface UseCreditProps {
  bill: Bill
  currency: string
  /** What it would pay. */
  chosen: readonly OpenInvoice[]
  onUsed: () => void
}

/** What whoever pays has in credit, offered for what is chosen: no money changes hands for it. */
export const UseCredit = ({ bill: { name, credits, payers }, currency, chosen, onUsed }: UseCreditProps) => {
  const { payment: words } = useWords()
  const format = useFormat()
  const [{ guardianId, studentId }] = payers
  const holder = guardianId === undefined ? { studentId: studentId ?? '' } : { guardianId }
  const apply = useChange(
    'credit',
    (allocations: Schemas['CreditAllocation'][], header) =>
      answer(
        api.POST('/accounts/apply', {
          params: { header },
          body: { ...holder, currency: currency as Schemas['Currency'], allocations },
        }),
      ),
    ({ allocations }) => {
      const amountMinor = allocations.reduce((sum, { amount }) => sum + amount.amountMinor, 0)
      toast(words.creditUsed(format.money({ amountMinor, currency })))
      onUsed()
    },
  )
  const credit = credits.find((one) => one.currency === currency)?.amountMinor ?? 0
  const usable = Math.min(credit, sumOf(chosen))
  if (credit === 0) return null
  return (
    <>
      <Notice meaning="good">
        <span className="grow">{words.hasCredit(name, format.money({ amountMinor: credit, currency }))}</span>
        {usable > 0 && (
          <Button isBusy={apply.isPending} onPress={() => apply.mutate(spread(chosen, usable))}>
            {words.fromCredit(format.money({ amountMinor: usable, currency }))}
          </Button>
        )}
      </Notice>
      {apply.error && <ProblemNotice problem={apply.error} />}
    </>
  )
}
