import { Link } from 'wouter'
import { answer, api, type Schemas } from '../../api/client.ts'
import { usePages } from '../../api/queries.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Download } from '../../parts/download.tsx'
import { Page } from '../../parts/page.tsx'
import { usePaper } from '../../parts/paper-button.tsx'
import { Rows } from '../../parts/rows.tsx'
import { ReceiptTabs } from '../../records/receipt/tabs.tsx'
import { useFilters } from '../../shell/filters.ts'
import { useFormat, useWords } from '../../words/language.tsx'

type Refund = Schemas['Refund']

/** All that was paid out of credit, the newest first. */
export const Screen = () => {
  const { accounts: words } = useWords()
  const { filters, set } = useFilters(['number'])
  const { number } = filters
  const refunds = usePages<Refund>(['/refunds', 'list', number], (cursor, signal) => {
    const query = { limit: 50, ...(number && { number }), ...(cursor && { cursor }) }
    return answer(api.GET('/refunds', { params: { query }, signal }))
  })
  return (
    <Page title={words.refunds} actions={<Download path="/refunds" />}>
      <ReceiptTabs at="/refunds" />
      {number && (
        <div className="filters">
          <Button icon="cross" onPress={() => set('number', '')}>
            <span className="ltr">{number}</span>
          </Button>
        </div>
      )}
      <Rows pages={refunds} label={words.refunds} keyOf={({ id }) => id} empty={<p>{words.noRefunds}</p>}>
        {(refund) => <RefundRow refund={refund} />}
      </Rows>
    </Page>
  )
}

const RefundRow = ({ refund }: { refund: Refund }) => {
  const { accounts: words, payment } = useWords()
  const format = useFormat()
  const paper = usePaper()
  const { id, number, guardianId, studentId, payerName, amount, method, reason, paidAt } = refund
  const account = guardianId === null ? `/students/${studentId}/account` : `/guardians/${guardianId}/account`
  return (
    <div className="row">
      <span className="grow">
        <Link href={account} className="name link">
          <bdi>{payerName}</bdi>
        </Link>
        <span className="about">
          <Dotted>
            <span className="ltr">{number}</span>
            <bdi>{format.moment(paidAt)}</bdi>
            {payment.methods[method]}
            <bdi>{reason}</bdi>
          </Dotted>
        </span>
      </span>
      <IconButton
        icon="download"
        label={words.paperOf(number)}
        isDisabled={paper.isBusy}
        onPress={() => void paper.give(`/refunds/${id}/pdf`)}
      />
      <bdi className="amount">{format.money(amount)}</bdi>
    </div>
  )
}
