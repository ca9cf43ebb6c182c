import { useEffect, useRef, useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange, useGet } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Detail } from '../../parts/detail.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty, Notice } from '../../parts/notice.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

type Bucket = Schemas['BucketState']

interface FromBucketProps {
  bucket: Bucket
  /** Hears that the one that was asked for is here. */
  onFetched: () => void
}

/** What the bucket of the settings holds, for whoever asks: one of it comes here as a file does that is sent. */
export const FromBucket = ({ bucket, onFetched }: FromBucketProps) => {
  const {
    restores: { bucket: words },
  } = useWords()
  const format = useFormat()
  const [isShown, setShown] = useState(false)
  const { fetched, reason } = bucket
  const listed = useGet(['/server/backups/bucket'], (signal) => answer(api.GET('/server/backups/bucket', { signal })), {
    isOff: !isShown,
  })
  const bring = useChange('backup', (name: string, header) =>
    answer(api.POST('/server/backups/bucket/{name}/fetch', { params: { path: { name }, header } })),
  )
  const { isSuccess, submittedAt } = bring
  const told = useRef(0)
  useEffect(() => {
    if (!isSuccess || fetched || told.current === submittedAt) return
    told.current = submittedAt
    if (reason === null) onFetched()
  }, [isSuccess, submittedAt, fetched, reason, onFetched])
  if (fetched) {
    const share = fetched.sizeBytes === 0 ? 0 : fetched.gotBytes / fetched.sizeBytes
    return (
      <p className="actions below spaced" role="status">
        <span className="spinner" />
        {words.fetching(format.percent(Math.floor(share * 100) / 100))}
      </p>
    )
  }
  const trouble = reason === null ? listed.data : bucket
  const isListed = isShown && listed.data?.reason === null
  return (
    <>
      {bring.error && <ProblemNotice problem={bring.error} />}
      {trouble && <Trouble trouble={trouble} />}
      {isShown && (
        <Loaded query={listed}>
          {({ kept }) =>
            isListed && (
              <List kept={kept} name={bucket.name} isBusy={bring.isPending} onFetch={(name) => bring.mutate(name)} />
            )
          }
        </Loaded>
      )}
      {!isListed && (
        <p className="actions below spaced">
          <Button isBusy={listed.isFetching} onPress={() => (isShown ? void listed.refetch() : setShown(true))}>
            {words.show}
          </Button>
        </p>
      )}
    </>
  )
}

/** Why nothing came, and what to do. */
const Trouble = ({ trouble: { reason, detail } }: { trouble: Pick<Bucket, 'reason' | 'detail'> }) => {
  const {
    restores: { bucket: words },
  } = useWords()
  if (reason === null) return null
  return (
    <Notice meaning="bad" isAlert>
      <span className="grow">
        {words.reasons[reason]}
        <Detail text={detail} />
      </span>
    </Notice>
  )
}

const MEGABYTE = 1024 * 1024

interface ListProps {
  kept: Schemas['BucketBackup'][]
  /** Of the bucket. */
  name: string
  isBusy: boolean
  onFetch: (name: string) => void
}

const List = ({ kept, name, isBusy, onFetch }: ListProps) => {
  const {
    backups,
    restores: { bucket: words, bring },
  } = useWords()
  const format = useFormat()
  return (
    <div className="card below spaced">
      {kept.length === 0 ? (
        <Empty>{words.none(name)}</Empty>
      ) : (
        <ul aria-label={words.list(name)}>
          {kept.map((one) => {
            const when = format.moment(one.createdAt)
            return (
              <li key={one.name} className="row">
                <span className="grow">
                  <span className="name">{when}</span>
                  <span className="about">
                    <Dotted>
                      {backups.megabytes(format.number(Math.ceil(one.sizeBytes / MEGABYTE)))}
                      {bring.encrypted}
                    </Dotted>
                  </span>
                </span>
                <Button isDisabled={isBusy} aria-label={words.fetchOf(when)} onPress={() => onFetch(one.name)}>
                  {words.fetch}
                </Button>
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}
