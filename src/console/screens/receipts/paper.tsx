import { Facts } from '../../parts/facts.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import type { Receipt } from '../../records/receipt/reads.ts'

/** What the browser prints: on A4, or on a roll of 80 mm, by the size of its paper. */
export const Paper = ({ receipt }: { receipt: Receipt }) => {
  const { payment: words } = useWords()
  const { institute } = useMe()
  const format = useFormat()
  const reference = receipt.payments[0]?.reference ?? null
  return (
    <article className="paper" aria-label={words.receiptNumber(receipt.number)}>
      <header>
        {institute.logoUrl !== null && <img className="logo" src={institute.logoUrl} alt="" />}
        <bdi className="house">{institute.name}</bdi>
      </header>
      <p className="what">{words.receiptNumber(receipt.number)}</p>
      {receipt.cancelledAt !== null && <p className="stamp">{words.cancelled}</p>}
      <Facts look="plain">
        <dt>{words.received}</dt>
        <dd>
          <bdi>{format.moment(receipt.receivedAt)}</bdi>
        </dd>
        {receipt.payerName !== null && (
          <>
            <dt>{words.receivedFrom}</dt>
            <dd>
              <bdi>{receipt.payerName}</bdi>
            </dd>
          </>
        )}
        <dt>{words.student(receipt.students.length)}</dt>
        <dd>{format.list(receipt.students.map(({ fullName }) => fullName))}</dd>
        <dt>{words.paidBy}</dt>
        <dd>
          {words.methods[receipt.method]}
          {reference !== null && (
            <>
              {' '}
              <bdi>{reference}</bdi>
            </>
          )}
        </dd>
      </Facts>
      <table>
        <tbody>
          {receipt.payments.map(({ id, invoiceNumber, amount }) => (
            <tr key={id}>
              <th scope="row">
                {words.invoice} <span className="ltr">{invoiceNumber}</span>
              </th>
              <td>
                <bdi>{format.money(amount)}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{words.total}</th>
            <td>
              <bdi>{format.money(receipt.amount)}</bdi>
            </td>
          </tr>
        </tfoot>
      </table>
    </article>
  )
}
