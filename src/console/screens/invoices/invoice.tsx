import { useState } from 'react'
import { Link, useLocation, useParams } from 'wouter'
import { answer, api } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Menu, type MenuEntry } from '../../parts/menu.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { PaperButton } from '../../parts/paper-button.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { ReasonConfirm } from '../../parts/reason-confirm.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { useGuardiansOf } from '../../records/guardian/reads.ts'
import { CreditNoteSheet } from './credit-note.tsx'
import { Lines } from './lines.tsx'
import { Notes } from './notes.tsx'
import { FormerPayers, MovePayer } from './payer.tsx'
import { ByCard } from './card.tsx'
import { Payments } from './payments.tsx'
import { useInvoice, type Invoice } from '../../records/invoice/reads.ts'
import { InvoiceStatus, isOpen, mayBeCredited, mayBeVoid } from '../../records/invoice/status.tsx'
import { ListedToCall, untoldOf, UntoldPerson } from '../../records/invoice/unreached.tsx'
import { useStudent } from '../../records/student/reads.ts'

/** One invoice: what it is for, who pays it, what was paid. */
export const Screen = () => {
  const { id = '' } = useParams()
  const { invoices: words } = useWords()
  const invoice = useInvoice(id)
  if (invoice.data) return <One key={invoice.data.id} invoice={invoice.data} />
  return (
    <Page title={words.invoice}>
      <Loaded query={invoice}>{() => null}</Loaded>
    </Page>
  )
}

/** The name of the student; undefined: not read yet, or not open to the reader. */
const useStudentName = (id: string): string | undefined => {
  const { can } = useMe()
  const { data } = useStudent(id, !can('students.read'))
  return data?.fullName
}

const One = ({ invoice }: { invoice: Invoice }) => {
  const words = useWords()
  const { accounts, calls, invoices, people, shell, payment } = words
  const format = useFormat()
  const { can } = useMe()
  const [, go] = useLocation()
  const [isVoiding, setVoiding] = useState(false)
  const [isMoving, setMoving] = useState(false)
  const [isCrediting, setCrediting] = useState(false)
  const { id, number, status, studentId, total } = invoice
  const path = { id }
  const name = useStudentName(studentId)
  const issue = useChange('invoice', (_, header) =>
    answer(api.POST('/invoices/{id}/issue', { params: { path, header } })),
  )
  const remind = useChange('invoice', (_, header) =>
    answer(api.POST('/invoices/{id}/remind', { params: { path, header } })),
  )
  const call = useChange('invoice', (_: void, header) =>
    answer(api.POST('/invoices/remind', { params: { header }, body: { ids: [id], toCall: true } })),
  )
  const makeVoid = useChange('invoice', (reason: string, header) =>
    answer(api.POST('/invoices/{id}/void', { params: { path, header }, body: { reason } })),
  )
  const mayWrite = can('invoices.write')
  const more: MenuEntry[] = [
    ...(mayWrite && status === 'draft'
      ? [{ id: 'edit', label: invoices.edit, onSelect: () => go(`/invoices/${id}/edit`) }]
      : []),
    ...(mayWrite && isOpen(invoice)
      ? [
          {
            id: 'remind',
            label: invoices.remind,
            onSelect: () => remind.mutate(undefined, { onSuccess: () => toast(invoices.reminded(number)) }),
          },
        ]
      : []),
    ...(mayWrite && status !== 'draft' && status !== 'void' && can('guardians.read')
      ? [{ id: 'payer', label: invoices.movePayer, onSelect: () => setMoving(true) }]
      : []),
    ...(mayWrite && mayBeCredited(invoice)
      ? [{ id: 'credit', label: accounts.creditNote, onSelect: () => setCrediting(true) }]
      : []),
    ...(mayWrite && mayBeVoid(invoice)
      ? [{ id: 'void', label: invoices.void, isDangerous: true, onSelect: () => setVoiding(true) }]
      : []),
  ]
  const problem = issue.error ?? remind.error
  const said = (remind.error && untoldOf(remind.error)) ?? issue.data?.unreached
  // Since it was moved, somebody else would be told.
  const untold = said?.recipient.id === (invoice.payerGuardianId ?? studentId) ? said : undefined
  return (
    <Page
      title={<span className="ltr-text">{number}</span>}
      name={number}
      about={
        <span className="chips">
          <InvoiceStatus status={status} />
          {name !== undefined && (
            <Link href={`/students/${studentId}`} className="link">
              <bdi>{name}</bdi>
            </Link>
          )}
          <span>{people.due(format.date(invoice.dueDate))}</span>
        </span>
      }
      actions={
        <>
          <PaperButton path={`/invoices/${id}/pdf`} />
          {more.length > 0 && <Menu label={shell.more} entries={more} />}
          {isOpen(invoice) && can('payments.record') && (
            <ButtonLink look="primary" to={`/pay/students/${studentId}?invoice=${id}`}>
              {payment.title}
            </ButtonLink>
          )}
          {status === 'draft' && mayWrite && (
            <Button
              look="primary"
              isBusy={issue.isPending}
              onPress={() => issue.mutate(undefined, { onSuccess: () => toast(invoices.issued(number)) })}
            >
              {invoices.issue}
            </Button>
          )}
        </>
      }
    >
      {problem && !said && <ProblemNotice problem={problem} />}
      {untold && (
        <Notice meaning="warn" isAlert>
          <span className="grow">
            {remind.error ? invoices.notReminded : invoices.issuedUntold(1)}
            <span className="report">
              <UntoldPerson untold={untold} />
            </span>
            {!remind.error && <ListedToCall untold={[untold]} />}
          </span>
          {remind.error && untold.canCall && (
            <Button
              icon="phone"
              isBusy={call.isPending}
              onPress={() =>
                call.mutate(undefined, {
                  onSuccess: ({ done }) => {
                    if (done.length === 0) return
                    remind.reset()
                    toast(calls.listed(1))
                  },
                })
              }
            >
              {calls.putOn(1)}
            </Button>
          )}
        </Notice>
      )}
      {status === 'void' && (
        <Notice meaning="warn">
          <span className="grow" dir="auto">
            {invoices.voidBecause(invoice.voidReason ?? '')}
          </span>
        </Notice>
      )}
      <div className="two">
        <div>
          <Lines invoice={invoice} />
          {status !== 'draft' && <Payments invoice={invoice} />}
          {status !== 'draft' && <ByCard invoice={invoice} />}
          {invoice.credited.amountMinor > 0 && <Notes invoiceId={id} />}
        </div>
        <div>
          <Details invoice={invoice} name={name} />
          <FormerPayers invoice={invoice} />
        </div>
      </div>
      <MovePayer invoice={invoice} studentName={name} isOpen={isMoving} onClose={() => setMoving(false)} />
      {isCrediting && (
        <CreditNoteSheet
          invoice={invoice}
          payerName={invoice.payerName ?? name ?? ''}
          onClose={() => setCrediting(false)}
        />
      )}
      <ReasonConfirm
        title={invoices.voidTitle(number, name, format.money(total))}
        verb={invoices.void}
        isOpen={isVoiding}
        onClose={() => setVoiding(false)}
        onConfirm={async (reason) => {
          await makeVoid.mutateAsync(reason)
          toast(invoices.voided(number))
        }}
      >
        <p className="soft">{invoices.voidText}</p>
      </ReasonConfirm>
    </Page>
  )
}

/** Who pays it: whom it names since it was issued; of a draft, the payer of record, who will. */
const usePayer = ({ status, studentId, payerGuardianId, payerName }: Invoice) => {
  const { can } = useMe()
  const guardians = useGuardiansOf(studentId, status !== 'draft' || !can('guardians.read'))
  if (status !== 'draft') return payerGuardianId === null ? undefined : { id: payerGuardianId, name: payerName }
  const ofRecord = guardians.data?.find(({ isPayer }) => isPayer)
  if (!ofRecord) return undefined
  const { guardianId, guardian } = ofRecord
  return { id: guardianId, name: `${guardian.firstName} ${guardian.lastName}` }
}

const Details = ({ invoice, name }: { invoice: Invoice; name: string | undefined }) => {
  const { invoices: words, people } = useWords()
  const format = useFormat()
  const { can, branches } = useMe()
  const payer = usePayer(invoice)
  const branch = branches.length > 1 ? branches.find(({ id }) => id === invoice.branchId)?.name : undefined
  return (
    <Section title={people.details}>
      <Facts>
        {name !== undefined && (
          <>
            <dt>{words.student}</dt>
            <dd>
              <Link href={`/students/${invoice.studentId}`} className="link">
                <bdi>{name}</bdi>
              </Link>
            </dd>
          </>
        )}
        {payer && (
          <>
            <dt>{words.payer}</dt>
            <dd>
              {can('guardians.read') ? (
                <Link href={`/guardians/${payer.id}`} className="link">
                  <bdi>{payer.name}</bdi>
                </Link>
              ) : (
                <bdi>{payer.name}</bdi>
              )}
            </dd>
          </>
        )}
        <dt>{invoice.status === 'draft' ? words.draftDate : words.issueDate}</dt>
        <dd>{format.date(invoice.issueDate)}</dd>
        <dt>{words.dueDate}</dt>
        <dd>{format.date(invoice.dueDate)}</dd>
        {branch !== undefined && (
          <>
            <dt>{people.branch}</dt>
            <dd>
              <bdi>{branch}</bdi>
            </dd>
          </>
        )}
        {invoice.notes !== null && (
          <>
            <dt>{words.notes}</dt>
            <dd>
              <bdi className="written">{invoice.notes}</bdi>
            </dd>
          </>
        )}
      </Facts>
    </Section>
  )
}
