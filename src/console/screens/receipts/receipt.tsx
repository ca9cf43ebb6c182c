import { useState } from 'react'
import { useParams } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Menu, type MenuEntry } from '../../parts/menu.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { PaperButton } from '../../parts/paper-button.tsx'
import { useFormat, useWords } from '../../shell/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { isolate } from '../../words/format.ts'
import { TakeBack } from '../invoices/payments.tsx'
import { Paper } from './paper.tsx'
import { useReceipt, type Receipt } from './queries.ts'

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
  const { payment: words, invoices, shell } = useWords()
  const format = useFormat()
  const { can } = useMe()
  const [isAsked, setAsked] = useState(false)
  const isTaken = useHistoryState<{ isTaken?: boolean } | null>()?.isTaken === true
  const number = words.receiptNumber(isolate(receipt.number))
  const isCancelled = receipt.cancelledAt !== null
  const [student] = receipt.students
  const more: MenuEntry[] =
    can('payments.record') && !isCancelled
      ? [{ id: 'back', label: invoices.takeBack, isDangerous: true, onSelect: () => setAsked(true) }]
      : []
  return (
    <Page
      title={
        isTaken ? (
          <span className="titled done">
            <Icon name="tick" />
            <span>{words.done(isolate(format.money(receipt.amount)))}</span>
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
          {student && <ButtonLink to={`/students/${student.id}`}>{words.toStudent}</ButtonLink>}
          <PaperButton path={`/receipts/${receipt.id}/pdf`} />
          <Button icon="print" onPress={() => window.print()}>
            {words.print}
          </Button>
          {can('payments.record') && (
            <ButtonLink to="/pay" look="primary">
              {words.next}
            </ButtonLink>
          )}
        </>
      }
    >
      {isCancelled && <Notice meaning="warn">{words.wasCancelled}</Notice>}
      <Paper receipt={receipt} />
      <TakeBack payments={receipt.payments} isOpen={isAsked} onClose={() => setAsked(false)} />
    </Page>
  )
}
