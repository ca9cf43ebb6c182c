import { Facts } from '../../parts/facts.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import type { Receipt } from '../../records/receipt/reads.ts'

/** What the browser prints: on A4, or on a roll of 80 mm, by the size of its paper. */
export const Paper = ({ receipt }: { receipt: Receipt }) => {
  const { payment: words, cheques } = useWords()
  const { institute } = useMe()
  const format = useFormat()
  const { credit } = receipt
  const reference = receipt.cheques.length > 0 ? null : receipt.reference
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
        {receipt.students.length > 0 && (
          <>
            <dt>{words.student(receipt.students.length)}</dt>
            <dd>{format.list(receipt.students.map(({ fullName }) => fullName))}</dd>
          </>
        )}
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
          {receipt.cheques.map(({ id, bank, branch, account, number, dueOn, amount }) => (
            <tr key={id}>
              <th scope="row">
                <bdi>{format.date(dueOn)}</bdi> · <span className="ltr">{number}</span> ·{' '}
                <span className="ltr">{cheques.of(bank, branch, account)}</span>
              </th>
              <td>
                <bdi>{format.money(amount)}</bdi>
              </td>
            </tr>
          ))}
          {(receipt.cheques.length > 0 ? [] : receipt.payments).map(({ id, invoiceNumber, amount }) => (
            <tr key={id}>
              <th scope="row">
                {words.invoice} <span className="ltr">{invoiceNumber}</span>
              </th>
              <td>
                <bdi>{format.money(amount)}</bdi>
              </td>
            </tr>
          ))}
          {credit !== null && (
            <tr>
              <th scope="row">{words.ahead}</th>
              <td>
                <bdi>{format.money(credit)}</bdi>
              </td>
            </tr>
          )}
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
