import { answer, api } from '../../api/client.ts'
import { useChange, useGet } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { readStuck } from './reads.ts'

/** Mails that the mail server did not take, and a button that sends them again once it does. */
export const StuckMails = () => {
  const { mail: words } = useWords()
  const format = useFormat()
  const stuck = useGet(['/notifications/stuck'], readStuck)
  const again = useChange('stuckMails', (_, header) =>
    answer(api.POST('/notifications/stuck/retry', { params: { header }, body: { channel: 'email' } })),
  )
  const mails = stuck.data?.channels.find(({ channel }) => channel === 'email')
  if (!mails) return null
  return (
    <Notice meaning="warn">
      <span className="grow">
        {words.stuck(mails.waiting, mails.failed, format.moment(mails.since))}
        {mails.reason !== '' && (
          <span className="report">
            {words.stuckReason} <bdi className="ltr">{mails.reason}</bdi>
          </span>
        )}
        {again.error && <ProblemNotice problem={again.error} />}
      </span>
      <Button
        isBusy={again.isPending}
        onPress={() => again.mutate(undefined, { onSuccess: () => toast(words.sentAgain) })}
      >
        {words.sendAgain}
      </Button>
    </Notice>
  )
}
