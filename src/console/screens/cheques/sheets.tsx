import { useState } from 'react'
import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Segments } from '../../parts/choose.tsx'
import { Field, LongField } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { MoneyField } from '../../parts/money-field.tsx'
import { Sheet, Confirm } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { ChequeSeries } from '../../records/cheque/series-form.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import type { Cheque } from './reads.ts'

interface SheetProps {
  cheque: Cheque
  onClose: () => void
}

/** The bank did not pay it: why, and what it costs. */
export const BounceSheet = ({ cheque, onClose }: SheetProps) => {
  const { cheques: words, shell } = useWords()
  const bounce = useChange('cheque', (typed: { reason: string; feeMinor: number | null }, header) =>
    answer(
      api.POST('/cheques/{id}/bounce', {
        params: { path: { id: cheque.id }, header },
        body: { reason: typed.reason.trim(), ...(typed.feeMinor !== null && { feeMinor: typed.feeMinor }) },
      }),
    ),
  )
  const form = useForm({
    start: { reason: '', feeMinor: null as number | null },
    bounds: BOUNDS.Bounce,
    missing: { reason: shell.reasonMissing },
    send: async (typed) => {
      await bounce.mutateAsync(typed)
      toast(words.bounced)
      onClose()
    },
  })
  return (
    <Sheet title={words.bounceTitle(cheque.number, cheque.payerName)} isOpen onClose={onClose}>
      <Form form={form} verb={words.bounce} look="danger" onCancel={onClose} cancelVerb={shell.leaveIt}>
        <p className="spaced">{words.bounceText}</p>
        <LongField label={shell.reason} {...form.field('reason')} autoFocus />
        <MoneyField
          label={words.fee}
          hint={words.feeHint}
          isOptional
          currency={cheque.amount.currency}
          {...form.field('feeMinor')}
        />
      </Form>
    </Sheet>
  )
}

/** It goes back to whoever brought it. */
export const GiveBackSheet = ({ cheque, onClose }: SheetProps) => {
  const { cheques: words } = useWords()
  const giveBack = useChange('cheque', (_, header) =>
    answer(api.POST('/cheques/{id}/return', { params: { path: { id: cheque.id }, header }, body: {} })),
  )
  return (
    <Confirm
      title={words.giveBackTitle(cheque.number, cheque.payerName)}
      verb={words.giveBack}
      isDangerous
      isOpen
      onClose={onClose}
      onConfirm={async () => {
        await giveBack.mutateAsync(undefined)
        toast(words.givenBack)
      }}
    >
      <p>{words.giveBackText}</p>
    </Confirm>
  )
}

const OTHERWISE = ['cheque', 'cash', 'card', 'bank_transfer'] as const

/** Something else came in its place: other cheques, or money. */
export const ReplaceSheet = ({ cheque, onClose }: SheetProps) => {
  const { cheques: words, payment, shell } = useWords()
  const format = useFormat()
  const [method, setMethod] = useState<(typeof OTHERWISE)[number]>('cheque')
  const replace = useChange('cheque', (body: Schemas['Replacement'], header) =>
    answer(api.POST('/cheques/{id}/replace', { params: { path: { id: cheque.id }, header }, body })),
  )
  const send = async (body: Schemas['Replacement']) => {
    const { number } = await replace.mutateAsync(body)
    toast(words.replaced(number))
    onClose()
  }
  const form = useForm({ start: {}, send: () => send({ method }) })
  const { bank, branch, account, amount } = cheque
  const missing = (sum: number) => format.money({ ...amount, amountMinor: Math.abs(amount.amountMinor - sum) })
  const choice = (
    <Segments
      label={words.method}
      isWide
      value={method}
      onChange={setMethod}
      options={OTHERWISE.map((id) => ({ id, label: id === 'cheque' ? words.others : payment.methods[id] }))}
    />
  )
  return (
    <Sheet title={words.replaceTitle(cheque.number, format.money(amount))} isOpen onClose={onClose}>
      <p>{words.replaceText}</p>
      {method === 'cheque' ? (
        <ChequeSeries
          owed={amount.amountMinor}
          currency={amount.currency}
          usual={{ bank, branch, account }}
          before={choice}
          send={(cheques) => send({ cheques })}
          difference={(sum) =>
            sum !== amount.amountMinor && (
              <span className="soft">
                {sum < amount.amountMinor ? words.tooLittle(missing(sum)) : words.tooMuch(missing(sum))}
              </span>
            )
          }
          leave={{ verb: shell.cancel, onLeave: onClose }}
        />
      ) : (
        <Form form={form} verb={words.done} onCancel={onClose}>
          {choice}
        </Form>
      )}
    </Sheet>
  )
}

const LAST_ACCOUNT = 'institute.deposit-account'

interface DepositProps {
  cheques: readonly Cheque[]
  onClose: () => void
  onDone: (deposit: { id: string; number: string }) => void
}

/** Cheques that go to the bank together. */
export const DepositSheet = ({ cheques, onClose, onDone }: DepositProps) => {
  const { cheques: words } = useWords()
  const format = useFormat()
  const deposit = useChange('cheque', (bankAccount: string, header) =>
    answer(
      api.POST('/cheques/deposits', {
        params: { header },
        body: { chequeIds: cheques.map(({ id }) => id), bankAccount },
      }),
    ),
  )
  const form = useForm({
    start: { bankAccount: localStorage.getItem(LAST_ACCOUNT) ?? '' },
    bounds: { bankAccount: BOUNDS.NewChequeDeposit.bankAccount },
    send: async ({ bankAccount }) => {
      const made = await deposit.mutateAsync(bankAccount.trim())
      localStorage.setItem(LAST_ACCOUNT, bankAccount.trim())
      onDone(made)
    },
  })
  const [first] = cheques as [Cheque]
  const amountMinor = cheques.reduce((sum, { amount }) => sum + amount.amountMinor, 0)
  const sum = format.money({ ...first.amount, amountMinor })
  return (
    <Sheet title={words.depositTitle(cheques.length, sum)} isOpen onClose={onClose}>
      <Form form={form} verb={words.deposit(cheques.length)} onCancel={onClose}>
        <Field label={words.bankAccount} hint={words.bankAccountHint} isLtr {...form.field('bankAccount')} autoFocus />
      </Form>
    </Sheet>
  )
}
