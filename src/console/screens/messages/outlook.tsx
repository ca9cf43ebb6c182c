import { useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import { Button } from '../../parts/button.tsx'
import { Check, Choice } from '../../parts/choose.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Waiting } from '../../parts/loaded.tsx'
import { Notice } from '../../parts/notice.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import type { Outcome } from './draft.ts'

interface OutlookProps {
  /** undefined: something is missing still, or it is being looked at. */
  planned: Outcome | undefined
  problem: unknown
  isBusy: boolean
  onRetry: () => void
  /** Whether whom it does not reach goes on the list to call. */
  isToCall: boolean
  onToCall: (isToCall: boolean) => void
  /** What is said where nobody is meant. */
  nobody: string
}

/** Before it goes: how many people by which channel in which language, who is not reached, what they read, what it costs. */
export const Outlook = ({ planned, problem, isBusy, onRetry, isToCall, onToCall, nobody }: OutlookProps) => {
  const { messages: words } = useWords()
  if (problem) return <ProblemNotice problem={problem} onRetry={onRetry} />
  if (!planned) return isBusy ? <Waiting /> : <p className="soft">{words.chooseFirst}</p>
  if (planned.people === 0) {
    return (
      <Notice meaning="warn">
        <span className="grow">{nobody}</span>
      </Notice>
    )
  }
  return (
    <div aria-busy={isBusy}>
      <Counts planned={planned} />
      <Unreached planned={planned} isToCall={isToCall} onToCall={onToCall} />
      {planned.texts.length > 0 && <Preview texts={planned.texts} />}
    </div>
  )
}

const Counts = ({ planned }: { planned: Outcome }) => {
  const { messages: words } = useWords()
  const format = useFormat()
  const { people, channels, languages, counted, room, budget } = planned
  const over = room === null ? 0 : Math.max(0, counted - room)
  return (
    <div className="card padded">
      <p className="lead" role="status">
        {words.people(people)}
      </p>
      <Facts look="inset">
        {channels.map(({ channel, messages, goesAt, segments }) => (
          <Fact key={channel} name={words.channels[channel]}>
            <Dotted>
              <span>{messages === 0 ? words.nobodyThere : words.people(messages)}</span>
              {messages > 0 && goesAt !== null && <span>{words.goesAt(whenOf(format, goesAt))}</span>}
              {segments !== null && (
                <span>
                  {segments.least === segments.most
                    ? words.segments(segments.most, segments.all)
                    : words.segmentsUpTo(segments.most, segments.all)}
                </span>
              )}
            </Dotted>
          </Fact>
        ))}
        <Fact name={words.languages}>
          <Dotted>
            {languages.map(({ locale, people: readers }) => (
              <span key={locale}>
                {words.languageNames[locale]} <bdi>{format.number(readers)}</bdi>
              </span>
            ))}
          </Dotted>
        </Fact>
      </Facts>
      {counted > 0 && (
        <p className="soft small">{room === null ? words.unlimited(counted) : words.counted(counted, room)}</p>
      )}
      {over > 0 && (
        <Notice meaning="warn">
          <span className="grow">{words.tooMany(over)}</span>
        </Notice>
      )}
      {budget !== null &&
        (budget.left > 0 ? (
          <p className="soft small">{words.budget(budget.left)}</p>
        ) : (
          <Notice meaning="warn">
            <span className="grow">{words.budgetGone(format.moment(budget.opensAt))}</span>
          </Notice>
        ))}
    </div>
  )
}

/** The hour, and the day where it is another one. */
const whenOf = (format: ReturnType<typeof useFormat>, at: string): string =>
  format.dateOf(at) === format.today() ? format.time(at) : format.moment(at)

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)

/** Shown at once where they are so few. */
const FEW = 5

type UnreachedProps = Pick<OutlookProps, 'isToCall' | 'onToCall'> & { planned: Outcome }

const Unreached = ({ planned: { unreached }, isToCall, onToCall }: UnreachedProps) => {
  const { messages: words, invoices, calls } = useWords()
  const [isOpen, setOpen] = useState(false)
  if (unreached.length === 0) return null
  const shown = isOpen || unreached.length <= FEW ? unreached : []
  const withPhone = unreached.filter(({ canCall }) => canCall).length
  const without = unreached.filter(({ because, canCall }) => because === 'no_address' && !canCall).length
  return (
    <>
      <Notice meaning="warn">
        <span className="grow">
          {words.unreached(unreached.length)}
          {withPhone > 0 && <span className="report">{calls.canCall(withPhone)}</span>}
          {without > 0 && <span className="report">{calls.cannot(without)}</span>}
        </span>
        {shown.length === 0 && <Button onPress={() => setOpen(true)}>{words.showUnreached}</Button>}
      </Notice>
      {withPhone > 0 && (
        <p className="spaced">
          <Check isChecked={isToCall} onChange={onToCall}>
            {calls.toCall}
          </Check>
        </p>
      )}
      {shown.length > 0 && (
        <ul className="card" aria-label={words.unreached(unreached.length)}>
          {shown.map(({ recipient: { kind, id, name }, because }) => (
            <li key={id} className="row">
              <span className="grow">
                {kind === 'guardian' || kind === 'student' ? (
                  <Link href={`/${kind}s/${id}`} className="link">
                    <bdi className="name">{name}</bdi>
                  </Link>
                ) : (
                  <bdi className="name">{name}</bdi>
                )}
                <span className="about words">{invoices.because[because]}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** What somebody of each language reads, over each channel. */
const Preview = ({ texts }: { texts: Outcome['texts'] }) => {
  const { messages: words } = useWords()
  const [chosen, setChosen] = useState('')
  const idOf = ({ locale, channel }: (typeof texts)[number]) => `${locale} ${channel}`
  const shown = texts.find((text) => idOf(text) === chosen) ?? texts[0]
  if (!shown) return null
  const { title, body, recipient, locale } = shown
  return (
    <div className="card padded reading">
      <Choice
        label={words.preview}
        options={texts.map((text) => ({
          id: idOf(text),
          label: words.previewOf(words.languageNames[text.locale], words.channels[text.channel]),
        }))}
        value={idOf(shown)}
        onChange={setChosen}
      />
      <article className="bubble" lang={locale} dir="auto">
        {title !== '' && <strong>{title}</strong>}
        <p>{body}</p>
      </article>
      <p className="soft small">{words.reads(recipient)}</p>
    </div>
  )
}
