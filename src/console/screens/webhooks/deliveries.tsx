import { useEffect, useState } from 'react'
import { answer, api } from '../../api/client.ts'
import { useChange, usePages } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Choice } from '../../parts/choose.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Badge, type Meaning } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { explain } from '../../parts/problem-notice.tsx'
import { Rows } from '../../parts/rows.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFilters } from '../../shell/filters.ts'
import { useFormat, useWords } from '../../words/language.tsx'
import type { Delivery } from './reads.ts'
import { SentSheet } from './sent.tsx'

type Status = Delivery['status']

const MEANINGS: Readonly<Record<Status, Meaning | undefined>> = {
  queued: 'info',
  delivered: 'good',
  failed: 'bad',
  disabled: undefined,
}
const STATUSES = Object.keys(MEANINGS) as Status[]

/** While one is to be sent right now, the list is read again until it is known what became of it. */
const SENDING_MILLIS = 2000

const isDue = ({ status, nextAttemptAt }: Delivery): boolean =>
  status === 'queued' && nextAttemptAt !== null && Date.parse(nextAttemptAt) <= Date.now()

/** What was sent to an address, the newest first. */
export const Deliveries = ({ webhookId }: { webhookId: string }) => {
  const { webhooks: words } = useWords()
  const { filters, set } = useFilters(['status'])
  const status = STATUSES.find((one) => one === filters.status)
  const pages = usePages<Delivery>(['/webhooks', webhookId, 'deliveries', status], (cursor, signal) => {
    const query = { limit: 20, ...(status && { status }), ...(cursor && { cursor }) }
    return answer(api.GET('/webhooks/{id}/deliveries', { params: { path: { id: webhookId }, query }, signal }))
  })
  const { rows, retry } = pages
  const isSending = rows?.some(isDue) ?? false
  useEffect(() => {
    if (!isSending) return undefined
    const timer = setInterval(retry, SENDING_MILLIS)
    return () => clearInterval(timer)
  }, [isSending, retry])
  return (
    <Section title={words.deliveries}>
      <div className="filters">
        <Choice
          label={words.shown}
          isLabelUnseen
          options={[
            { id: 'any', label: words.anyState },
            ...STATUSES.map((id) => ({ id, label: words.deliveryState[id] })),
          ]}
          value={status ?? 'any'}
          onChange={(id) => set('status', id === 'any' ? '' : id)}
        />
      </div>
      <Rows
        pages={pages}
        label={words.deliveries}
        keyOf={({ id }) => id}
        empty={<p>{status ? words.noneOfState : words.noDeliveries}</p>}
      >
        {(delivery) => <Row delivery={delivery} />}
      </Rows>
    </Section>
  )
}

const Row = ({ delivery }: { delivery: Delivery }) => {
  const all = useWords()
  const { webhooks: words } = all
  const format = useFormat()
  const { id, endpointId, eventType, status, attempts, lastStatusCode, responseExcerpt, nextAttemptAt } = delivery
  const { deliveredAt, createdAt } = delivery
  const replay = useChange('webhook', (_, header) =>
    answer(
      api.POST('/webhooks/{id}/deliveries/{deliveryId}/replay', {
        params: { path: { id: endpointId, deliveryId: id }, header },
      }),
    ),
  )
  const [isShown, setShown] = useState(false)
  const meaning = MEANINGS[status]
  const what = words.events[eventType]
  const again = () =>
    replay.mutate(undefined, {
      onSuccess: () => toast(words.replayed),
      onError: (error) => toast(explain(all, error)),
    })
  return (
    <div className="row">
      <span className="grow">
        <span className="chips">
          <span className="name">{what}</span>
          <Badge {...(meaning && { meaning })}>{words.deliveryState[status]}</Badge>
        </span>
        <span className="about">
          <Dotted>
            {format.moment(createdAt)}
            {attempts > 0 && words.tries(attempts)}
            {attempts > 0 && (lastStatusCode === null ? words.noAnswer : words.answered(format.number(lastStatusCode)))}
            {deliveredAt !== null && words.arrivedAt(format.moment(deliveredAt))}
            {status === 'queued' && nextAttemptAt !== null && words.nextTry(format.moment(nextAttemptAt))}
          </Dotted>
        </span>
        {responseExcerpt !== null && responseExcerpt !== '' && <Answer text={responseExcerpt} />}
      </span>
      <Button look="quiet" aria-label={words.sentOf(what, format.moment(createdAt))} onPress={() => setShown(true)}>
        {words.sentShow}
      </Button>
      {isShown && <SentSheet delivery={delivery} what={what} onClose={() => setShown(false)} />}
      {/* Of one that waits, the program may be there again long before the next attempt. */}
      {(status !== 'queued' || attempts > 0) && (
        <Button isBusy={replay.isPending} aria-label={words.replayOf(what, format.moment(createdAt))} onPress={again}>
          {words.replay}
        </Button>
      )}
    </div>
  )
}

/** As much as tells what it is about: it may be a whole page. */
const SHORT = 160

const Answer = ({ text }: { text: string }) => {
  const { webhooks: words, shell } = useWords()
  const [isWhole, setWhole] = useState(text.length <= SHORT)
  return (
    <span className="report">
      <span className="unseen">{words.answerText}: </span>
      <bdi className="ltr">{isWhole ? text : `${text.slice(0, SHORT)}…`}</bdi>
      {!isWhole && (
        <Button look="quiet" onPress={() => setWhole(true)}>
          {shell.more}
        </Button>
      )}
    </span>
  )
}
