import { useEffect } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { ownAddress } from '../../api/own-address.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

/** While it is made, how far it is is asked for again. */
const ASK_MILLIS = 2000

const isUnderWay = (made: Schemas['Export'] | undefined): boolean =>
  made?.status === 'queued' || made?.status === 'running'

/** Everything of the institute as one file, for its owners, also while it is locked. Each answer of the server has a new address to fetch it by. */
export const Screen = () => {
  const { institute: words } = useWords()
  const format = useFormat()
  const ask = useChange('export', (fresh: boolean, header) =>
    answer(api.POST('/export', { params: { header }, body: { fresh } })),
  )
  const { data: made, mutate, isPending } = ask
  useEffect(() => {
    if (!isUnderWay(made)) return undefined
    const timer = setTimeout(() => mutate(false), ASK_MILLIS)
    return () => clearTimeout(timer)
  }, [made, mutate])
  const fetch = () =>
    mutate(false, {
      onSuccess: ({ downloadUrl }) => {
        if (downloadUrl !== null) window.location.assign(ownAddress(downloadUrl))
      },
    })
  const isMaking = isUnderWay(made)
  return (
    <Section title={words.everything}>
      <div className="card padded">
        <p className="spaced">{words.everythingAbout}</p>
        {ask.error && <ProblemNotice problem={ask.error} />}
        {made && isMaking && (
          <Notice meaning="info" icon="clock">
            <span className="grow">{words.everythingMaking(format.percent(made.progress / 100))}</span>
          </Notice>
        )}
        {made?.status === 'failed' && (
          <Notice meaning="bad" isAlert>
            <span className="grow">{words.everythingFailed}</span>
          </Notice>
        )}
        {made?.status === 'done' && (
          <p className="spaced">
            {words.everythingMade(format.moment(made.finishedAt ?? made.createdAt), format.bytes(made.sizeBytes ?? 0))}
          </p>
        )}
        {made?.status === 'done' ? (
          <div className="chips">
            <Button icon="download" isBusy={isPending} onPress={fetch}>
              {words.everythingFetch}
            </Button>
            <Button look="quiet" isBusy={isPending} onPress={() => mutate(true)}>
              {words.everythingAnew}
            </Button>
          </div>
        ) : (
          <Button isBusy={isPending || isMaking} onPress={() => mutate(made?.status === 'failed')}>
            {words.everythingMake}
          </Button>
        )}
      </div>
    </Section>
  )
}
