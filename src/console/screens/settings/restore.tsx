import { useEffect, useRef } from 'react'
import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { queryClient, useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Detail } from '../../parts/detail.tsx'
import { FixedFacts } from '../../parts/facts.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { MOST_COUNTED } from '../../../shared/since-backup.ts'
import { KeyForm } from './bring.tsx'
import { PasswordForm } from '../../parts/password-form.tsx'
import { useContents, useRestore } from './reads.ts'

type Contents = Schemas['BackupContents']
type Reason = NonNullable<Contents['reason']>

interface BackupSheetProps {
  backup: Schemas['KeptBackup']
  /** Whether somebody wants it in the place of what is here, and not only to see what it holds. */
  isAsked: boolean
  onAsk: () => void
  onClose: () => void
}

/** What a backup holds; and, where that is wanted, what follows from putting it in the place of what is here. */
export const BackupSheet = ({ backup, isAsked, onAsk, onClose }: BackupSheetProps) => {
  const { restores: words } = useWords()
  const format = useFormat()
  const contents = useContents(backup.name)
  const isBrought = backup.kind === 'brought'
  const isOpened = backup.isEncrypted && Boolean(contents.data?.held)
  useEffect(() => {
    // The list still has it as it came.
    if (isOpened) void queryClient.invalidateQueries({ queryKey: ['/server/backups'], exact: true })
  }, [isOpened])
  // What it holds says as of when it is; until then its file says when it came.
  const when = format.moment(contents.data?.held?.createdAt ?? backup.createdAt)
  const title = isBrought && !contents.data?.held ? words.bring.file : words.title(when)
  return (
    <Sheet title={isAsked && contents.data?.held ? words.askTitle(when) : title} isOpen onClose={onClose}>
      <Loaded query={contents}>
        {(data) => {
          if (data.isReading) {
            return (
              <p className="actions" role="status">
                <span className="spinner" />
                {words.reading}
              </p>
            )
          }
          if (data.held === null) {
            const needsKey = isBrought && (data.reason === 'needs_key' || data.reason === 'wrong_key')
            return (
              <>
                {needsKey && data.reason === 'needs_key' ? (
                  <p className="spaced">{words.bring.keyLead}</p>
                ) : (
                  <Why reason={data.reason ?? 'failed'} detail={data.detail} />
                )}
                {needsKey && <KeyForm name={backup.name} />}
              </>
            )
          }
          return (
            <>
              {isAsked ? <InShort held={data.held} /> : <Held held={data.held} />}
              <Since since={data.since} />
              {isAsked ? (
                <Ask name={backup.name} onClose={onClose} />
              ) : (
                <div className="actions">
                  <Button onPress={onAsk}>{words.open}</Button>
                </div>
              )}
            </>
          )
        }}
      </Loaded>
    </Sheet>
  )
}

/** Why a backup was not, or cannot be, put in place. */
const Why = ({ reason, detail, lead }: { reason: Reason; detail: string; lead?: string }) => {
  const { restores: words } = useWords()
  return (
    <Notice meaning="bad">
      <span className="grow">
        {lead} {words.reasons[reason]}
        {reason === 'failed' && <Detail text={detail} />}
      </span>
    </Notice>
  )
}

const COUNTED = ['students', 'guardians', 'staff', 'invoices', 'payments', 'files'] as const

/** The same in a line, where there is more to read. */
const InShort = ({ held }: { held: NonNullable<Contents['held']> }) => {
  const {
    restores: { held: words },
  } = useWords()
  const format = useFormat()
  return (
    <p className="soft spaced">
      <Dotted>
        {held.institute ?? words.none}
        {COUNTED.map((name) => {
          const value = held[name]
          return value === null ? null : `${words[name]}:\u00a0${format.number(value)}`
        })}
      </Dotted>
    </p>
  )
}

const Held = ({ held }: { held: NonNullable<Contents['held']> }) => {
  const {
    restores: { held: words },
  } = useWords()
  const format = useFormat()
  const rows: [string, string | null][] = [
    [words.institute, held.institute ?? words.none],
    ...COUNTED.map((name): [string, string | null] => {
      const value = held[name]
      return [words[name], value === null ? null : format.number(value)]
    }),
    [words.lastChangeAt, held.lastChangeAt === null ? null : format.moment(held.lastChangeAt)],
    [words.version, held.version],
  ]
  return <FixedFacts look="inset" rows={rows} />
}

const Since = ({ since }: { since: Contents['since'] }) => {
  const { restores: words } = useWords()
  const format = useFormat()
  if (since === null) return null
  const told = (count: number) => (count < MOST_COUNTED ? format.number(count) : words.orMore(format.number(count)))
  const rows = (['changes', 'students', 'invoices', 'payments'] as const).map(
    (name) => [words.lost[name], since[name] === 0 ? null : told(since[name])] as const,
  )
  return (
    <>
      <h3>{words.since}</h3>
      {since.changes === 0 ? <p className="spaced">{words.nothing}</p> : <FixedFacts look="inset" rows={rows} />}
    </>
  )
}

const Ask = ({ name, onClose }: { name: string; onClose: () => void }) => {
  const { restores: words } = useWords()
  const restore = useChange('restore', (body: Schemas['BackupRestore'], header) =>
    answer(api.POST('/server/backups/{name}/restore', { params: { path: { name }, header }, body })),
  )
  return (
    <>
      <ul className="bullets one-column spaced">
        {words.follows.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <PasswordForm
        bounds={BOUNDS.BackupRestore}
        verb={words.verb}
        look="danger"
        send={async (typed) => {
          await restore.mutateAsync(typed)
          onClose()
        }}
        onCancel={onClose}
      />
    </>
  )
}

/** How far a restore has come, on the page of the backups. */
export const RestoreNotice = () => {
  const { restores: words } = useWords()
  const format = useFormat()
  const { data: restore, isUnderWay } = useRestore()
  const wasUnderWay = useRef(false)
  const step = restore?.step
  useEffect(() => {
    if (isUnderWay) wasUnderWay.current = true
    // All that this page has read is of another day.
    else if (wasUnderWay.current && step === 'done') location.reload()
  }, [isUnderWay, step])
  if (!restore || step === 'none') return null
  if (step === 'failed') return <Why reason={restore.reason ?? 'failed'} detail={restore.detail} lead={words.failed} />
  if (step === 'done') {
    return (
      <Notice meaning="good">
        <span className="grow">{words.done(format.moment(restore.asOf ?? ''))}</span>
      </Notice>
    )
  }
  return (
    <Notice meaning="info">
      <span className="grow">{step === 'checking' ? words.checking : words.restoring}</span>
      <span className="spinner" />
    </Notice>
  )
}
