import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { Choice, Segments } from '../../parts/choose.tsx'
import { useWords } from '../../words/language.tsx'
import type { Bill, OpenInvoice, Paying } from './payer.ts'

/** As many as stand side by side. */
const MOST_SEGMENTS = 3

const idOf = ({ guardianId, studentId }: Paying): string => guardianId ?? studentId ?? ''

/** Who has come to pay: whoever pays by record, or another guardian of all whose invoices are chosen. */
export const usePaying = ({ payers }: Bill, chosen: readonly OpenInvoice[], by: string | null) => {
  const [ofRecord, ...others] = payers
  const [pickedId, setPickedId] = useState(by)
  const mayPay = [
    ofRecord,
    ...others.filter(({ studentIds }) => chosen.every(({ studentId }) => studentIds.includes(studentId))),
  ]
  const payer = mayPay.find((one) => idOf(one) === pickedId) ?? ofRecord
  const paidBy = (isAhead: boolean): Pick<Schemas['NewReceipt'], 'paidBy'> => {
    // Who pays the invoices by record, the server finds by itself; whose credit it becomes, the page has said.
    if (payer === ofRecord && !isAhead) return {}
    const { guardianId, studentId } = payer
    return { paidBy: guardianId === undefined ? { studentId: studentId ?? '' } : { guardianId } }
  }
  return { mayPay, value: idOf(payer), name: payer.name, onChange: setPickedId, paidBy }
}

type Props = Pick<ReturnType<typeof usePaying>, 'mayPay' | 'value' | 'onChange'>

export const PaidBy = ({ mayPay, value, onChange }: Props) => {
  const { payment: words } = useWords()
  if (mayPay.length < 2) return null
  const options = mayPay.map((payer) => ({ id: idOf(payer), label: payer.name }))
  const props = { label: words.receivedFrom, value, onChange, options }
  return options.length > MOST_SEGMENTS ? <Choice {...props} /> : <Segments {...props} isWide />
}
