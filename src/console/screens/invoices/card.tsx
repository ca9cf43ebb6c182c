import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange, useGet } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Copied } from '../../parts/copied.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Badge, Notice } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import type { Invoice } from '../../records/invoice/reads.ts'

const MOST = 20

/** The link by which an invoice is paid by card, and what came of the pages that it opened. */
export const ByCard = ({ invoice: { id, number, balance } }: { invoice: Invoice }) => {
  const { card: words } = useWords()
  const format = useFormat()
  const link = useGet(['/invoices', id, 'pay-link'], (signal) =>
    answer(api.GET('/invoices/{id}/pay-link', { params: { path: { id } }, signal })),
  )
  const online = useGet(['/invoices', id, 'online'], (signal) =>
    answer(api.GET('/online-payments', { params: { query: { invoiceId: id, limit: MOST } }, signal })),
  )
  const url = link.data?.url ?? null
  const rows = online.data?.data ?? []
  if (url === null && rows.length === 0) return null
  return (
    <Section title={words.online}>
      {url !== null && (
        <div className="card padded">
          <Copied text={url} label={words.link} hint={words.linkHint} />
          <a
            className="button"
            href={`https://wa.me/?${new URLSearchParams({ text: words.whatsapp(number, format.money(balance), url) }).toString()}`}
            target="_blank"
            rel="noreferrer"
          >
            {words.send}
          </a>
        </div>
      )}
      {rows.length > 0 && (
        <div className="card">
          {rows.map((one) => (
            <Opened key={one.id} one={one} />
          ))}
        </div>
      )}
    </Section>
  )
}

const Opened = ({ one }: { one: Schemas['OnlinePayment'] }) => {
  const { card: words } = useWords()
  const format = useFormat()
  const { can } = useMe()
  const { id, state, amount, provider, createdAt, paidAt, providerPaymentId, problem, settledAt } = one
  const settle = useChange('online', (_: void, header) =>
    answer(api.POST('/online-payments/{id}/settle', { params: { path: { id }, header } })),
  )
  const isOpen = problem !== null && settledAt === null
  return (
    <div className="row">
      <span className="grow">
        <span className="name">{words.names[provider]}</span>
        <span className="about">
          <Dotted>
            <bdi>{format.moment(paidAt ?? createdAt)}</bdi>
            {providerPaymentId !== null && <bdi>{providerPaymentId}</bdi>}
          </Dotted>
        </span>
        {problem !== null && (
          <Notice meaning={isOpen ? 'warn' : 'info'}>
            <span className="grow">{words.problems[problem]}</span>
            {isOpen && can('payments.record') && (
              <Button look="quiet" isBusy={settle.isPending} onPress={() => settle.mutate()}>
                {words.seen}
              </Button>
            )}
          </Notice>
        )}
        {settle.error && <ProblemNotice problem={settle.error} />}
      </span>
      <Badge {...(state === 'paid' && { meaning: 'good' as const })}>{words.states[state]}</Badge>
      <bdi className="amount">{format.money(amount)}</bdi>
    </div>
  )
}
