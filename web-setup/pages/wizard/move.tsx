import { useEffect, useState } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { Problem } from '../../../src/console/api/problem.ts'
import { besideApi } from '../../../src/console/api/send.ts'
import { sendFile } from '../../../src/console/api/send-file.ts'
import type { Schemas } from '../../../src/console/api/schemas.ts'
import { Button } from '../../../src/console/parts/button.tsx'
import { Check } from '../../../src/console/parts/choose.tsx'
import { Detail } from '../../../src/console/parts/detail.tsx'
import { FixedFacts } from '../../../src/console/parts/facts.tsx'
import { Field } from '../../../src/console/parts/field.tsx'
import { useForm } from '../../../src/console/parts/form.tsx'
import { Waiting } from '../../../src/console/parts/loaded.tsx'
import { Notice } from '../../../src/console/parts/notice.tsx'
import { ProblemNotice } from '../../../src/console/parts/problem-notice.tsx'
import { Told } from '../../../src/console/parts/told.tsx'
import { useFirstLanguage, useFormat } from '../../../src/console/words/language.tsx'
import { useOwnWords } from '../../parts/own-words.ts'
import { Step } from '../../parts/step.tsx'
import { ToldForm } from '../../parts/told-form.tsx'
import { completeWizardWords, type PageWords } from '../../words/index.ts'
import { BucketTrouble, FromBucket, NO_BUCKET, type Bucket, type BucketReason } from './from-bucket.tsx'

type Words = NonNullable<PageWords['wizardMove']>

/** How far the server has come with the backup. */
interface Restore {
  step: 'none' | 'fetching' | 'uploaded' | 'checking' | 'ready' | 'restoring' | 'failed'
  mostBytes: number
  needsKey: boolean
  fetched: { sizeBytes: number; gotBytes: number } | null
  canKeepCopies: boolean
  held: Held | null
  reason: keyof Words['reasons'] | BucketReason | null
  detail: string
}

interface Held {
  institute: string | null
  createdAt: string
  version: string
  students: number | null
  invoices: number | null
  files: number
  sizeBytes: number
}

interface MoveProps {
  setupToken: string
  onBack: () => void
}

/** Brings an institute here out of a backup of another server. */
export const Screen = (props: MoveProps) => {
  const { words, locale, speak } = useFirstLanguage()
  const hasAllWords = (words as PageWords).wizardMove !== undefined
  useEffect(() => {
    if (hasAllWords) return
    completeWizardWords()
    speak(locale)
  }, [hasAllWords, speak, locale])
  return hasAllWords ? <Move {...props} /> : <Waiting />
}

const LOOK_MILLIS = 1000

/** Whether the institute of the backup is served. The server is away for a moment on the way there. */
const isHere = async (): Promise<boolean> => {
  const { needsSetup } = await besideApi<Schemas['SetupStatus']>('/api/v1/setup/status')
  return !needsSetup
}

const isUnderWay = (step: Restore['step'] | 'here'): boolean =>
  step === 'fetching' || step === 'checking' || step === 'restoring'

const useRestore = (setupToken: string) => {
  const [restore, setRestore] = useState<Restore | 'here'>()
  const [problem, setProblem] = useState<unknown>()
  const headers = { 'X-Setup-Token': setupToken }
  const read = () => besideApi<Restore>('/setup/restore', { headers })
  /** Does something with the backup, and shows what the server then knows; where it refuses, it is asked for that. */
  const act = async (work: () => Promise<Restore>): Promise<void> => {
    setProblem(undefined)
    try {
      setRestore(await work())
    } catch (error) {
      setProblem(error)
      await read().then(setRestore, () => {})
    }
  }
  const step = restore === 'here' ? 'here' : restore?.step
  useEffect(() => {
    if (step !== undefined && !isUnderWay(step)) return undefined
    let isOver = false
    let timer = 0
    const look = async () => {
      try {
        const next = step === 'restoring' && (await isHere()) ? 'here' : await read()
        if (!isOver) setRestore(next)
      } catch (error) {
        // While it steps aside it answers nobody, or that it comes back.
        if (!isOver && step !== 'restoring') setProblem(error)
      }
      if (!isOver) timer = window.setTimeout(() => void look(), LOOK_MILLIS)
    }
    timer = window.setTimeout(() => void look(), step === undefined ? 0 : LOOK_MILLIS)
    return () => {
      isOver = true
      window.clearTimeout(timer)
    }
    // It is asked again when the server has come further.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [step])
  return { restore, problem, act }
}

const Move = ({ setupToken, onBack }: MoveProps) => {
  const words = useOwnWords('wizardMove')
  const { restore, problem, act } = useRestore(setupToken)
  const [share, setShare] = useState<number>()
  const [isTooLarge, setTooLarge] = useState(false)
  /** Where the copy came from, and what opened it: they stay in the page. */
  const [bucket, setBucket] = useState(NO_BUCKET)
  const [key, setKey] = useState<string>()
  const [isPicking, setPicking] = useState(false)
  const [keeps, setKeeps] = useState(true)
  const [isKept, setKept] = useState(false)

  const check = (given?: string) => {
    setKey(given)
    return act(() =>
      besideApi<Restore>('/setup/restore/check', { body: { setupToken, ...(given !== undefined && { key: given }) } }),
    )
  }
  const send = async (file: File | undefined) => {
    if (!file || !restore || restore === 'here') return
    setBucket(NO_BUCKET)
    setTooLarge(file.size > restore.mostBytes)
    if (file.size > restore.mostBytes) return
    setShare(0)
    await act(async () => {
      await sendFile(file, {
        address: '/setup/restore/file',
        headers: { 'X-Setup-Token': setupToken, 'Content-Type': 'application/octet-stream' },
        onSent: setShare,
      })
      const sent = await besideApi<Restore>('/setup/restore', { headers: { 'X-Setup-Token': setupToken } })
      return sent.needsKey ? sent : besideApi<Restore>('/setup/restore/check', { body: { setupToken } })
    })
    setShare(undefined)
  }
  const fetchCopy = async (from: Bucket, copy: string) => {
    setBucket(from)
    setTooLarge(false)
    await act(() => besideApi<Restore>('/setup/restore/bucket/fetch', { body: { setupToken, store: from, copy } }))
    setPicking(false)
  }

  if (restore === undefined) return problem === undefined ? <Waiting /> : <ProblemNotice problem={problem} />
  if (restore === 'here') return <Here isKept={isKept} />
  const canKeep = restore.canKeepCopies && bucket.secret !== '' && key !== undefined
  const bring = () => {
    const copiesTo = canKeep && keeps ? { store: bucket, key } : undefined
    setKept(copiesTo !== undefined)
    return act(() => besideApi<Restore>('/setup/restore', { body: { setupToken, copiesTo } }))
  }
  const { step, needsKey, held, detail } = restore
  if (isUnderWay(step) || share !== undefined) return <UnderWay restore={restore} share={share} />

  const reason = isTooLarge ? 'disk_full' : step === 'failed' ? restore.reason : null
  const told = reason === null || reason === 'needs_key' ? null : <Why reason={reason} detail={detail} />
  const trouble = (
    <>
      {problem !== undefined && <Trouble problem={problem} />}
      {told}
    </>
  )
  if (isPicking) {
    return (
      <FromBucket
        setupToken={setupToken}
        start={bucket}
        trouble={trouble}
        onBack={() => setPicking(false)}
        onFetch={(from, copy) => void fetchCopy(from, copy)}
      />
    )
  }
  const asksKey = needsKey && (step === 'uploaded' || reason === 'needs_key' || reason === 'wrong_key')
  const isReady = step === 'ready' && held !== null
  const isFirst = !isReady && !asksKey
  const title = isReady ? words.held.title : asksKey ? words.keyTitle : words.title
  const lead = isReady ? words.held.lead : asksKey ? words.keyLead : words.lead
  const canBring = reason !== 'postgres_here'
  return (
    <Step key={title} id={isReady ? 'move-held' : asksKey ? 'move-key' : 'move-file'} title={title} lead={lead}>
      {trouble}
      {isReady && <What held={held} />}
      {isReady && canKeep && (
        <Check isChecked={keeps} onChange={setKeeps}>
          {words.bucket.keep}
          <span className="about">{words.bucket.keepHint}</span>
        </Check>
      )}
      {asksKey && <Key onKey={check} />}
      {isFirst && canBring && (
        <>
          <p className="spaced">{words.how}</p>
          <p className="spaced">{words.gone}</p>
        </>
      )}
      <div className="actions onward">
        <Button look={isFirst ? 'plain' : 'quiet'} onPress={onBack}>
          {words.back}
        </Button>
        {canBring && (isFirst || bucket.secret !== '') && (
          <Button onPress={() => setPicking(true)}>{isFirst ? words.fromBucket : words.bucket.another}</Button>
        )}
        {canBring && (isFirst || bucket.secret === '') && (
          <FileTrigger onSelect={(files) => void send(files?.[0])}>
            <Button look={isFirst ? 'primary' : 'plain'}>{step === 'none' ? words.choose : words.another}</Button>
          </FileTrigger>
        )}
        {isReady && (
          <Button look="primary" onPress={() => void bring()}>
            {words.held.restore}
          </Button>
        )}
      </div>
    </Step>
  )
}

/** How far it is with what needs nobody. */
const UnderWay = ({ restore: { step, fetched }, share }: { restore: Restore; share: number | undefined }) => {
  const words = useOwnWords('wizardMove')
  const format = useFormat()
  const percent = new Intl.NumberFormat(format.locale, { style: 'percent' })
  const got = fetched && fetched.sizeBytes > 0 ? fetched.gotBytes / fetched.sizeBytes : 0
  return (
    <Step id="move-waiting" title={words.title}>
      <div className="actions" role="status">
        <span className="spinner" />
        <Told>
          {share !== undefined
            ? words.sending(percent.format(share))
            : step === 'fetching'
              ? words.bucket.fetching(percent.format(Math.floor(got * 100) / 100))
              : words[step === 'restoring' ? 'restoring' : 'checking']}
        </Told>
      </div>
    </Step>
  )
}

type Reason = NonNullable<Restore['reason']>

/** Of a backup, or of the store that it is to come from. */
const isOfBackup = (reason: Reason, { reasons }: Words): reason is keyof Words['reasons'] => reason in reasons

const Why = ({ reason, detail }: { reason: Reason; detail: string }) => {
  const words = useOwnWords('wizardMove')
  if (!isOfBackup(reason, words)) return <BucketTrouble reason={reason} region={null} detail={detail} />
  return (
    <Notice meaning="bad" isAlert>
      <span className="grow">
        <Told>{words.reasons[reason]}</Told>
        {reason === 'failed' && <Detail text={detail} />}
      </span>
    </Notice>
  )
}

/** A file that broke off on its way is told as such: the browser does not say more. */
const Trouble = ({ problem }: { problem: unknown }) => {
  const { broken, refused } = useOwnWords('wizardMove')
  const reasons: Partial<Record<string, string>> = refused
  const told = problem instanceof Problem ? (problem.status === 0 ? broken : reasons[problem.reason ?? '']) : undefined
  if (told === undefined) return <ProblemNotice problem={problem} />
  return (
    <Notice meaning="bad" isAlert>
      <span className="grow">{told}</span>
    </Notice>
  )
}

const MEGABYTE = 1024 * 1024

/** What the backup holds, before anything is made of it. */
const What = ({ held }: { held: Held }) => {
  const { held: words } = useOwnWords('wizardMove')
  const format = useFormat()
  const rows: [string, string | null][] = [
    [words.institute, held.institute ?? words.none],
    [words.createdAt, format.moment(held.createdAt)],
    [words.students, held.students === null ? null : format.number(held.students)],
    [words.invoices, held.invoices === null ? null : format.number(held.invoices)],
    [words.files, format.number(held.files)],
    [words.size, words.megabytes(format.number(Math.ceil(held.sizeBytes / MEGABYTE)))],
    [words.version, held.version],
  ]
  return (
    <>
      <FixedFacts rows={rows} />
      <Notice meaning="warn">
        <span className="grow">{words.caution}</span>
      </Notice>
    </>
  )
}

const Key = ({ onKey }: { onKey: (key: string) => Promise<void> }) => {
  const words = useOwnWords('wizardMove')
  const form = useForm({
    start: { key: '' },
    rules: ({ key }) => (key.trim() === '' ? { key: words.keyMissing } : {}),
    send: ({ key }) => onKey(key),
  })
  return (
    <ToldForm form={form} verb={words.open}>
      <Field id="backup-key" label={words.key} hint={words.keyHint} isLtr {...form.field('key')} />
    </ToldForm>
  )
}

/** The institute is served: what is left to do by hand. @param isKept whether copies go on into the same store */
const Here = ({ isKept }: { isKept: boolean }) => {
  const { done: words, bucket } = useOwnWords('wizardMove')
  return (
    <Step id="move-done" title={words.title} lead={words.lead}>
      <p>
        <a className="button primary" href="/">
          {words.open}
        </a>
      </p>
      <section className="card padded help" aria-labelledby="move-next">
        <h2 id="move-next">{words.next}</h2>
        <ul>
          {[words.address, words.mail, words.license, words.phones, isKept ? bucket.kept : words.backups].map(
            (text) => (
              <li key={text}>
                <Told>{text}</Told>
              </li>
            ),
          )}
        </ul>
      </section>
    </Step>
  )
}
