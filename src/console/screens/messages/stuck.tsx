import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange, useGet } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Confirm } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { NoMailbox } from '../../records/message/family-reach.tsx'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

type OfChannel = Schemas['StuckMessages']

/** What did not go out because of the mail server or a provider: it is sent again, or dropped. */
export const Stuck = () => {
  const stuck = useGet(['/notifications/stuck', 'all'], (signal) => answer(api.GET('/notifications/stuck', { signal })))
  return (
    <>
      {stuck.data?.channels.map((one) => (
        <OverChannel key={one.channel} stuck={one} />
      ))}
    </>
  )
}

const OverChannel = ({ stuck: { channel, waiting, failed, kept, since, reason } }: { stuck: OfChannel }) => {
  const { messages: words, mail } = useWords()
  const { institute } = useMe()
  const format = useFormat()
  const [isAsked, setAsked] = useState(false)
  const again = useChange('messageLog', (_: void, header) =>
    answer(api.POST('/notifications/stuck/retry', { params: { header }, body: { channel } })),
  )
  const drop = useChange('messageLog', (_: void, header) =>
    answer(api.POST('/notifications/stuck/drop', { params: { header }, body: { channel } })),
  )
  const count = waiting + failed + kept
  // What is kept was never given to the other side, which then has said nothing.
  const isOnlyKept = kept === count
  const isKeptMail = isOnlyKept && channel === 'email'
  const why = reason === '' ? undefined : isOnlyKept ? words.because.not_set_up : words.otherSide(reason)
  // Without a mailbox, mails that were sent again would only be kept again.
  const canRetry = !isKeptMail || institute.sendsMail
  return (
    <Notice meaning="warn">
      <span className="grow">
        {isKeptMail
          ? mail.kept(count, format.moment(since))
          : words.stuck(count, words.channels[channel], format.moment(since))}
        {!canRetry && <NoMailbox />}
        {!isKeptMail && why !== undefined && <span className="report">{why}</span>}
        {again.error && <ProblemNotice problem={again.error} />}
      </span>
      <Button onPress={() => setAsked(true)}>{words.dropAll}</Button>
      {canRetry && (
        <Button
          isBusy={again.isPending}
          onPress={() => again.mutate(undefined, { onSuccess: () => toast(words.retriedAll) })}
        >
          {isKeptMail ? mail.sendKept : words.retryAll}
        </Button>
      )}
      <Confirm
        title={words.dropTitle(count)}
        verb={words.dropAll}
        isDangerous
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={async () => {
          await drop.mutateAsync()
          toast(words.dropped)
        }}
      >
        <p className="soft">{words.dropText}</p>
      </Confirm>
    </Notice>
  )
}
