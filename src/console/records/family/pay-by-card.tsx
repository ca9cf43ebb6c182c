import { answer, api } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { useWords } from '../../words/language.tsx'

/** Goes on to the page of the payment company. */
export const PayByCard = ({ invoice: { id, number } }: { invoice: { id: string; number: string } }) => {
  const { card: words } = useWords()
  const pay = useChange('cardPage', (_: void, header) =>
    answer(api.POST('/invoices/{id}/pay', { params: { path: { id }, header } })),
  )
  return (
    <div className="row">
      <span className="grow">{pay.error && <ProblemNotice problem={pay.error} />}</span>
      <Button
        isBusy={pay.isPending}
        onPress={() => pay.mutate(undefined, { onSuccess: ({ url }) => location.assign(url) })}
      >
        {words.pay(number)}
      </Button>
    </div>
  )
}
