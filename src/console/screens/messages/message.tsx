import { useState } from 'react'
import { Link, useParams } from 'wouter'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Back } from '../../parts/back.tsx'
import { Button } from '../../parts/button.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Confirm } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { NoMailbox } from '../../records/message/family-reach.tsx'
import { useMessage } from '../../records/message/reads.ts'
import { kindOf } from '../../records/message/texts.ts'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { isKept, isTriedAgain, saidOf, State, whyOf } from './state.tsx'

type Message = Schemas['NotificationLogMessage']

/** One message: what it said, to whom, over what, and each try. */
export const Screen = () => {
  const { id } = useParams<{ id: string }>()
  const { messages: words } = useWords()
  const message = useMessage(id)
  return (
    <>
      <Back to="/messages" label={words.title} />
      {message.data ? (
        <One message={message.data} />
      ) : (
        <Page title={words.title}>
          <Loaded query={message}>{() => null}</Loaded>
        </Page>
      )}
    </>
  )
}

const One = ({ message }: { message: Message }) => {
  const all = useWords()
  const { messages: words } = all
  const format = useFormat()
  const { can, institute } = useMe()
  const { id, recipient, title, body, templateKey, channel, locale, status, createdAt, tries, sentAt, readAt } = message
  const again = useChange('messageLog', (_: void, header) =>
    answer(api.POST('/notifications/{id}/retry', { params: { path: { id }, header } })),
  )
  const drop = useChange('messageLog', (_: void, header) =>
    answer(api.POST('/notifications/{id}/drop', { params: { path: { id }, header } })),
  )
  const [isAsked, setAsked] = useState(false)
  const said = saidOf(message, all, format)
  const maySend = can('notifications.send') && !institute.isReadOnly
  const mayDrop = maySend && (isKept(message) || isTriedAgain(message))
  const mayRetry = maySend && (status === 'failed' || status === 'skipped') && channel !== 'in_app' && body !== ''
  return (
    <Page
      name={kindOf(templateKey, all)}
      title={<bdi>{title || kindOf(templateKey, all)}</bdi>}
      about={
        <span className="chips">
          <State message={message} />
          {said !== undefined && <span>{said}</span>}
        </span>
      }
      {...(mayDrop && { actions: <Button onPress={() => setAsked(true)}>{words.dropOne}</Button> })}
      {...(mayRetry && {
        actions: (
          <Button
            look="primary"
            isBusy={again.isPending}
            onPress={() => again.mutate(undefined, { onSuccess: () => toast(words.didAgain) })}
          >
            {words.again}
          </Button>
        ),
      })}
    >
      {again.error && <ProblemNotice problem={again.error} />}
      <Confirm
        title={words.dropTitle(1)}
        verb={words.dropOne}
        isDangerous
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={async () => {
          await drop.mutateAsync()
          toast(words.droppedOne)
        }}
      >
        <p className="soft">{words.dropOneText}</p>
      </Confirm>
      {isKept(message) && (
        <Notice meaning="warn">
          <NoMailbox />
        </Notice>
      )}
      <div className="two">
        <div>
          <Section title={words.body}>
            <div className="card padded">
              <article className="bubble" lang={locale} dir="auto">
                {title !== '' && <strong>{title}</strong>}
                <p>{body}</p>
              </article>
            </div>
          </Section>
          <Section title={words.tries}>
            <ul className="card" aria-label={words.tries}>
              {tries.length === 0 && <li className="row soft">{words.noTries}</li>}
              {tries.map(({ at, outcome, reason }) => (
                <li key={at} className="row">
                  <span className="grow">
                    <span className="name">{words.outcomes[outcome]}</span>
                    <span className="about">
                      <bdi>{format.moment(at)}</bdi>
                    </span>
                    {reason !== null && <span className="about words">{whyOf(null, reason, words)}</span>}
                  </span>
                </li>
              ))}
            </ul>
          </Section>
        </div>
        <div>
          <Section title={words.toAddress}>
            <div className="card padded">
              <Facts look="inset">
                <dt>{words.toAddress}</dt>
                <dd>
                  <Recipient recipient={recipient} />
                </dd>
                <dt>{words.over}</dt>
                <dd>
                  {words.channels[channel]}
                  {recipient.address !== null && (
                    <>
                      <br />
                      <span className="fixed ltr">{recipient.address}</span>
                    </>
                  )}
                </dd>
                <dt>{words.readIn}</dt>
                <dd>{words.languageNames[locale]}</dd>
                <dt>{words.written}</dt>
                <dd>{format.moment(createdAt)}</dd>
                {sentAt !== null && (
                  <>
                    <dt>{words.states.sent}</dt>
                    <dd>{format.moment(sentAt)}</dd>
                  </>
                )}
                {readAt !== null && (
                  <>
                    <dt>{words.states.read}</dt>
                    <dd>{format.moment(readAt)}</dd>
                  </>
                )}
              </Facts>
            </div>
          </Section>
        </div>
      </div>
    </Page>
  )
}

const Recipient = ({ recipient: { kind, id, name } }: Pick<Message, 'recipient'>) => {
  const { can } = useMe()
  const isRead = (kind === 'student' && can('students.read')) || (kind === 'guardian' && can('guardians.read'))
  return isRead ? (
    <Link href={`/${kind}s/${id}`} className="link">
      <bdi>{name}</bdi>
    </Link>
  ) : (
    <bdi>{name}</bdi>
  )
}
