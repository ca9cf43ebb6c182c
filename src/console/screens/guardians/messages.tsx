import { answer, api, type Schemas } from '../../api/client.ts'
import { usePages } from '../../api/queries.ts'
import { Badge, type Meaning } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { useNow } from '../../shell/now.ts'
import { useFormat, useWords } from '../../words/language.tsx'

type Message = Schemas['NotificationLogEntry']

const MEANINGS: Readonly<Record<Message['status'], Meaning | undefined>> = {
  queued: 'info',
  sent: 'good',
  failed: 'bad',
  skipped: undefined,
}

/** What was written to the guardian, the newest first, and whether it arrived. */
export const Messages = ({ recipientId }: { recipientId: string }) => {
  const { family } = useWords()
  const format = useFormat()
  const now = useNow()
  const messages = usePages<Message>(['/notifications', recipientId], (cursor, signal) => {
    const query = { recipientId, limit: 5, ...(cursor && { cursor }) }
    return answer(api.GET('/notifications', { params: { query }, signal }))
  })
  return (
    <Section title={family.messages}>
      <Rows pages={messages} label={family.messages} keyOf={({ id }) => id} empty={family.noMessages}>
        {({ title, body, status, createdAt, reason, attempts, nextAttemptAt }) => {
          const meaning = MEANINGS[status]
          return (
            <div className="row">
              <span className="grow">
                <bdi className="name">{title || body}</bdi>
                <span className="about">
                  {format.moment(createdAt)}
                  {status === 'queued' &&
                    attempts === 0 &&
                    nextAttemptAt !== null &&
                    Date.parse(nextAttemptAt) > now && (
                      <>
                        {' · '}
                        {family.waitsUntil(format.moment(nextAttemptAt))}
                      </>
                    )}
                  {status === 'failed' && reason !== null && (
                    <>
                      {' · '}
                      <bdi>{reason}</bdi>
                    </>
                  )}
                </span>
              </span>
              <Badge {...(meaning && { meaning })}>{family.states[status]}</Badge>
            </div>
          )
        }}
      </Rows>
    </Section>
  )
}
