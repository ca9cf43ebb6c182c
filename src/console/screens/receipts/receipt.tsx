import { useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { answer, api } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Menu, type MenuEntry } from '../../parts/menu.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { PaperButton } from '../../parts/paper-button.tsx'
import { Confirm } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { TakeBack } from '../../records/receipt/take-back.tsx'
import { Paper } from './paper.tsx'
import { useReceipt, type Receipt } from '../../records/receipt/reads.ts'

/** What was received, to be printed; the next payer is one tap away. */
export const Screen = () => {
  const { id = '' } = useParams()
  const { payment: words } = useWords()
  const receipt = useReceipt(id)
  if (receipt.data) return <One key={receipt.data.id} receipt={receipt.data} />
  return (
    <Page title={words.receipt}>
      <Loaded query={receipt}>{() => null}</Loaded>
    </Page>
  )
}

const One = ({ receipt }: { receipt: Receipt }) => {
  const { payment: words, accounts, invoices, shell } = useWords()
  const format = useFormat()
  const { can } = useMe()
  const [isAsked, setAsked] = useState(false)
  const isTaken = useHistoryState<{ isTaken?: boolean } | null>()?.isTaken === true
  const number = words.receiptNumber(receipt.number)
  const isCancelled = receipt.cancelledAt !== null
  const [student] = receipt.students
  const addressee = receipt.payerName ?? student?.fullName ?? ''
  const [isSending, setSending] = useState(false)
  const send = useChange('receipt', (_, header) =>
    answer(api.POST('/receipts/{id}/send', { params: { path: { id: receipt.id }, header } })),
  )
  const [, go] = useLocation()
  const more: MenuEntry[] = []
  if (student) more.push({ id: 'student', label: words.toStudent, onSelect: () => go(`/students/${student.id}`) })
  const holder =
    receipt.payerGuardianId === null ? student && `/students/${student.id}` : `/guardians/${receipt.payerGuardianId}`
  if (holder) more.push({ id: 'account', label: accounts.title, onSelect: () => go(`${holder}/account`) })
  if (can('payments.record') && !isCancelled)
    more.push({ id: 'back', label: invoices.takeBack, isDangerous: true, onSelect: () => setAsked(true) })
  return (
    <Page
      title={
        isTaken ? (
          <span className="titled done">
            <Icon name="tick" />
            <span>{words.done(format.money(receipt.amount))}</span>
          </span>
        ) : (
          number
        )
      }
      name={number}
      about={isTaken ? number : undefined}
      actions={
        <>
          {more.length > 0 && <Menu label={shell.more} entries={more} />}
          <PaperButton path={`/receipts/${receipt.id}/pdf`} />
          {can('payments.record') && addressee !== '' && (
            <Button icon="mail" onPress={() => setSending(true)}>
              {words.send}
            </Button>
          )}
          <Button icon="print" onPress={() => window.print()}>
            {words.print}
          </Button>
          {can('payments.record') && (
            <ButtonLink to="/pay" look="primary">
              {words.nextPayer}
            </ButtonLink>
          )}
        </>
      }
    >
      {isCancelled && <Notice meaning="warn">{words.wasCancelled}</Notice>}
      <Paper receipt={receipt} />
      <Confirm
        title={words.sendTitle(receipt.number, addressee)}
        verb={words.sendIt}
        isOpen={isSending}
        onClose={() => setSending(false)}
        onConfirm={async () => {
          await send.mutateAsync(undefined)
          toast(words.sent(addressee))
        }}
      >
        <p>{words.sendText}</p>
      </Confirm>
      <TakeBack id={receipt.id} isOpen={isAsked} onClose={() => setAsked(false)} />
    </Page>
  )
}
