import { useState } from 'react'
import { Link } from 'wouter'
import { answer, api } from '../../api/client.ts'
import { useChange, useGet } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Confirm } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { readStuck } from './reads.ts'

/**
 * Mails that the mail server did not take, or that were written before there was a mailbox: they are sent, or dropped.
 * @param hasMailbox whether they can be sent
 */
export const StuckMails = ({ hasMailbox }: { hasMailbox: boolean }) => {
  const { mail: words, messages } = useWords()
  const { can } = useMe()
  const format = useFormat()
  const stuck = useGet(['/notifications/stuck'], readStuck)
  const again = useChange('stuckMails', (_, header) =>
    answer(api.POST('/notifications/stuck/retry', { params: { header }, body: { channel: 'email' } })),
  )
  const [isAsked, setAsked] = useState(false)
  const drop = useChange('stuckMails', (_, header) =>
    answer(api.POST('/notifications/stuck/drop', { params: { header }, body: { channel: 'email' } })),
  )
  const mails = stuck.data?.channels.find(({ channel }) => channel === 'email')
  if (!mails) return null
  const { waiting, failed, kept } = mails
  const since = format.moment(mails.since)
  const isTried = waiting + failed > 0
  return (
    <Notice meaning="warn">
      <span className="grow">
        {kept > 0 && words.kept(kept, since)}
        {isTried && <span className={kept > 0 ? 'report' : undefined}>{words.stuck(waiting, failed, since)}</span>}
        {isTried && mails.reason !== '' && (
          <span className="report">
            {words.stuckReason} <bdi className="ltr">{mails.reason}</bdi>
          </span>
        )}
        {!hasMailbox && <span className="report">{words.keptFirst}</span>}
        {can('notifications.send') && (
          <span className="report">
            <Link href={`/messages?channel=email&status=${waiting + kept > 0 ? 'queued' : 'failed'}`} className="link">
              {messages.oneByOne}
            </Link>
          </span>
        )}
        {again.error && <ProblemNotice problem={again.error} />}
      </span>
      <Button onPress={() => setAsked(true)}>{words.drop}</Button>
      {hasMailbox && (
        <Button
          isBusy={again.isPending}
          onPress={() => again.mutate(undefined, { onSuccess: () => toast(words.sentAgain) })}
        >
          {isTried ? words.sendAgain : words.sendKept}
        </Button>
      )}
      <Confirm
        title={words.dropTitle(waiting + failed + kept)}
        verb={words.drop}
        isDangerous
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={async () => {
          await drop.mutateAsync(undefined)
          toast(words.dropped)
        }}
      >
        <p className="soft">{words.dropText}</p>
      </Confirm>
    </Notice>
  )
}
