import { useState } from 'react'
import { Link, useLocation, useParams, useSearchParams } from 'wouter'
import type { Schemas } from '../../api/client.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Initials } from '../../parts/person.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { Desk } from './desk.tsx'
import { useBill, type Bill, type Payer } from './payer.ts'
import { useTakenElsewhere } from './take.ts'

export const StudentScreen = () => {
  const { id = '' } = useParams()
  return <Till key={id} payer={{ kind: 'students', id }} />
}

export const GuardianScreen = () => {
  const { id = '' } = useParams()
  return <Till key={id} payer={{ kind: 'guardians', id }} />
}

const Till = ({ payer }: { payer: Payer }) => {
  const { payment: words } = useWords()
  const bill = useBill(payer)
  return bill.data ? (
    <Open bill={bill.data} />
  ) : (
    <Page title={words.title}>
      <Loaded query={bill}>{() => null}</Loaded>
    </Page>
  )
}

const Open = ({ bill }: { bill: Bill }) => {
  const { payment: words } = useWords()
  const format = useFormat()
  const [, go] = useLocation()
  const [params] = useSearchParams()
  const [elsewhere, setElsewhere] = useState<Schemas['Receipt']>()
  const ids = new Set(bill.students.keys())
  useTakenElsewhere((receipt) => {
    const isTheirs = bill.payers.some(({ guardianId }) => guardianId === receipt.payerGuardianId)
    if (isTheirs || receipt.studentIds.some((id) => ids.has(id))) setElsewhere(receipt)
  })
  const { name, others, payers } = bill
  // Whoever owes nothing has mostly come for what another guardian owes: that is offered before a payment ahead is.
  const isForOthers = bill.invoices.length === 0 && others.length > 0
  const [{ guardianId }] = payers
  const ofOthers = others.length > 0 && (
    <Section title={words.othersPay}>
      <ul className="card">
        {others.map((child) => (
          <li key={child.id}>
            <Link href={`/pay/students/${child.id}${guardianId ? `?by=${guardianId}` : ''}`} className="row">
              <Initials name={child.name} />
              <bdi className="grow name">{child.name}</bdi>
              <Icon name="forward" />
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
  return (
    <Page title={words.title} about={words.forPayer(name)} hasOwnFocus={!isForOthers}>
      {elsewhere && (
        <Notice meaning="warn" isAlert>
          <span className="grow">{words.takenElsewhere(format.money(elsewhere.amount), elsewhere.number)}</span>
          <ButtonLink look="quiet" to={`/receipts/${elsewhere.id}`}>
            {words.receipt}
          </ButtonLink>
        </Notice>
      )}
      {isForOthers && ofOthers}
      <Desk
        // What was typed was meant before another window took money of the same family.
        key={elsewhere?.id}
        bill={bill}
        only={params.get('invoice')}
        by={params.get('by')}
        // Whoever has gone on to something else stays there: the frame tells of it.
        onTaken={({ id }) => go(`/receipts/${id}`, { replace: true, state: { isTaken: true } })}
      />
      {!isForOthers && ofOthers}
    </Page>
  )
}
