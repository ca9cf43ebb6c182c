import { useState } from 'react'
import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { Problem } from '../../api/problem.ts'
import { useChange, useGet, usePages } from '../../api/queries.ts'
import { Back } from '../../parts/back.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { MoneyField } from '../../parts/money-field.tsx'
import { Badge, Empty, Notice } from '../../parts/notice.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { PaperButton, usePaper } from '../../parts/paper-button.tsx'
import { Rows } from '../../parts/rows.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { Movements } from './movements.tsx'
import { Difference } from './difference.tsx'
import { HeldCheques } from './held-cheques.tsx'

type Till = Schemas['OpenTill']
type Line = Till['lines'][number]
type Close = Schemas['TillClose']

const keyOf = ({ method, expected }: Pick<Line, 'method' | 'expected'>): string => `${method} ${expected.currency}`

const paperOf = (id: string): string => `/tills/closes/${id}/pdf`

/** What lies in the reader's till, its count, and the tills that were closed. */
export const Screen = () => {
  const { payment, till: words } = useWords()
  const format = useFormat()
  const till = useGet(['/tills', 'today'], (signal) => answer(api.GET('/tills/today', { signal })))
  const [closed, setClosed] = useState<Close>()
  const since = till.data?.since
  return (
    <>
      <Back to="/pay" label={payment.title} />
      <Page title={words.title} about={since ? words.about(format.moment(since)) : undefined}>
        {closed && (
          <Notice meaning="good" isAlert>
            <span className="grow">{words.closed}</span>
            <PaperButton path={paperOf(closed.id)}>{words.paper}</PaperButton>
          </Notice>
        )}
        <Loaded query={till}>
          {(data) =>
            data.entries === 0 ? (
              <div className="card">
                <Empty>
                  <p>{words.empty}</p>
                  {data.lastClosedAt !== null && <p>{words.lastClosed(format.moment(data.lastClosedAt))}</p>}
                </Empty>
              </div>
            ) : (
              <>
                <Count till={data} onClosed={setClosed} onChanged={() => void till.refetch()} />
                <Movements />
              </>
            )
          }
        </Loaded>
        <Closes />
      </Page>
    </>
  )
}

const NOTHING_COUNTED: Readonly<Record<string, number | null>> = {}
const NO_PAPERS: Readonly<Record<string, string>> = {}

interface CountProps {
  till: Till
  onClosed: (close: Close) => void
  /** Something else lies in the till by now. */
  onChanged: () => void
}

/** What was counted beside what was expected, method by method. */
const Count = ({ till, onClosed, onChanged }: CountProps) => {
  const { till: words } = useWords()
  const close = useChange(
    'till',
    (body: Schemas['CloseTill'], header) => answer(api.POST('/tills/close', { body, params: { header } })),
    onClosed,
  )
  const form = useForm({
    start: { counted: NOTHING_COUNTED, papers: NO_PAPERS, note: '' },
    bounds: { note: BOUNDS.CloseTill.note },
    rules: ({ counted }) => ({
      counted: till.lines.some((line) => (counted[keyOf(line)] ?? null) === null) && words.notCounted,
    }),
    send: async ({ counted, papers, note }) => {
      const sums = till.lines.map((line) => ({
        method: line.method,
        currency: line.expected.currency,
        amountMinor: counted[keyOf(line)] ?? 0,
      }))
      const countedCheques = till.held.flatMap(({ total: { currency } }) => {
        const typed = papers[currency]?.trim() ?? ''
        return typed === '' ? [] : [{ currency, count: Number(typed) }]
      })
      try {
        await close.mutateAsync({ counted: sums, countedCheques, entries: till.entries, note: note.trim() })
      } catch (error) {
        if (error instanceof Problem && error.reason === 'till_changed') onChanged()
        throw error
      }
    },
  })
  const { counted, papers } = form.typed
  return (
    <Form
      form={form}
      footer={
        <Button type="submit" look="primary" isBig isBusy={form.isBusy}>
          {words.close}
        </Button>
      }
    >
      <ul className="card count">
        {till.lines.map((line) => (
          <CountLine
            key={keyOf(line)}
            line={line}
            counted={counted[keyOf(line)] ?? null}
            isTried={form.isTried}
            onChange={(minor) => form.set({ counted: { ...counted, [keyOf(line)]: minor } })}
          />
        ))}
        {till.held.map((held) => (
          <HeldCheques
            key={held.total.currency}
            held={held}
            counted={papers[held.total.currency] ?? ''}
            onChange={(typed) => form.set({ papers: { ...papers, [held.total.currency]: typed } })}
          />
        ))}
      </ul>
      <div className="count-end">
        <Field label={words.note} hint={words.noteHint} isOptional {...form.field('note')} />
        <p className="soft">{words.follows}</p>
      </div>
    </Form>
  )
}

interface CountLineProps {
  line: Line
  /** null: nothing was typed yet. */
  counted: number | null
  isTried: boolean
  onChange: (minor: number | null) => void
}

const CountLine = ({ line, counted, isTried, onChange }: CountLineProps) => {
  const { payment, till: words } = useWords()
  const format = useFormat()
  const { method, expected, entries } = line
  return (
    <li className="count-line">
      <div className="count-what">
        <span className="name">{payment.methods[method]}</span>
        <span className="about">{words.entries(entries)}</span>
      </div>
      <div className="count-expected">
        <span className="about">{words.expected}</span>
        <bdi className="amount">{format.money(expected)}</bdi>
      </div>
      <MoneyField
        label={words.countOf(payment.methods[method])}
        currency={expected.currency}
        value={counted}
        onChange={onChange}
        {...(isTried && counted === null && { error: words.notCounted })}
      />
      <div className="count-difference" aria-live="polite">
        {counted !== null && <Difference of={{ ...expected, amountMinor: counted - expected.amountMinor }} />}
      </div>
    </li>
  )
}

const Closes = () => {
  const { till: words } = useWords()
  const closes = usePages<Close>(['/tills', 'closes'], (cursor, signal) =>
    answer(api.GET('/tills/closes', { params: { query: { limit: 20, ...(cursor && { cursor }) } }, signal })),
  )
  return (
    <Section title={words.closes}>
      <Rows pages={closes} label={words.closes} keyOf={({ id }) => id} empty={<p>{words.noCloses}</p>}>
        {(close) => <CloseRow close={close} />}
      </Rows>
    </Section>
  )
}

const CloseRow = ({ close }: { close: Close }) => {
  const { payment, till: words } = useWords()
  const format = useFormat()
  const paper = usePaper()
  const { id, userName, closedAt, lines, held, note, hasDifference } = close
  const when = format.moment(closedAt)
  return (
    <div className="row">
      <span className="grow">
        <bdi className="name">{userName}</bdi>
        <span className="about">
          <Dotted>
            {when}
            {lines.map(({ method, counted }) => (
              <bdi key={`${method} ${counted.currency}`}>
                {payment.methods[method]} {format.money(counted)}
              </bdi>
            ))}
            {held.map(({ count, total }) => (
              <bdi key={total.currency}>{words.heldCheques(count, format.money(total))}</bdi>
            ))}
          </Dotted>
        </span>
        {note !== null && (
          <span className="about">
            <bdi>{note}</bdi>
          </span>
        )}
      </span>
      {hasDifference ? (
        lines
          .filter(({ difference }) => difference.amountMinor !== 0)
          .map(({ method, difference }) => <Difference key={`${method} ${difference.currency}`} of={difference} />)
      ) : (
        <Badge meaning="good">{words.fits}</Badge>
      )}
      <IconButton icon="download" label={words.paperOf(userName, when)} onPress={() => void paper.give(paperOf(id))} />
    </div>
  )
}
