import { useState, type ReactNode } from 'react'
import type { Schemas } from '../../api/schemas.ts'
import { Button } from '../../parts/button.tsx'
import { Waiting } from '../../parts/loaded.tsx'
import { Notice } from '../../parts/notice.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'

/** A record as it is compared: what is called so, and what stands there. */
export type Facts = readonly (readonly [label: string, value: string | null])[]

export interface Kept {
  id: string
  name: string
}

/** What the records of one kind are merged by. */
export interface MergeProps {
  kept: Kept
  isOpen: boolean
  onClose: () => void
}

export interface CompareProps {
  kept: Kept
  otherId: string
  onClose: () => void
}

interface StepsProps extends Omit<MergeProps, 'isOpen'> {
  /** Where one looks for the other record. */
  find: (onChoose: (id: string) => void) => ReactNode
  compare: (props: CompareProps) => ReactNode
}

/** Merges a record with another one of the same person. */
export const MergeSheet = ({ isOpen, ...steps }: StepsProps & MergeProps) => {
  const { merge: words } = useWords()
  return (
    <Sheet title={words.title(steps.kept.name)} isOpen={isOpen} onClose={steps.onClose}>
      <Steps {...steps} />
    </Sheet>
  )
}

const Steps = ({ kept, find, compare, onClose }: StepsProps) => {
  const { merge: words, shell } = useWords()
  const [otherId, setOther] = useState<string>()
  if (otherId !== undefined) return compare({ kept, otherId, onClose })
  return (
    <>
      <p>{words.about}</p>
      {find(setOther)}
      <div className="actions">
        <Button onPress={onClose}>{shell.cancel}</Button>
      </div>
    </>
  )
}

const isKnown = (value: string | null | undefined): boolean => value !== null && value !== undefined && value !== ''

type Outcome = Pick<Schemas['StudentMerge'], 'dryRun' | 'moves' | 'against'>

interface ComparedProps {
  both: readonly [Facts, Facts] | undefined
  change: {
    data: Outcome | undefined
    error: unknown
    isPending: boolean
    mutate: (dryRun: boolean, options?: { onSuccess: () => void }) => void
  }
  onClose: () => void
}

/** Both records side by side, what would move, and what stands against it. */
export const Compared = ({ both, change, onClose }: ComparedProps) => {
  const { merge: words, shell } = useWords()
  const { data, error, isPending, mutate } = change
  const whatOf = (what: string): string => words.what[what as keyof typeof words.what] ?? what
  const listed = (some: Outcome['moves']) => some.map(({ what, count }) => `${whatOf(what)}: ${count}`)
  if (!both) return <Waiting />
  const [kept, other] = both
  const facts = kept
    .map(([label, stays], at) => ({ label, stays, goes: other[at]?.[1] }))
    .filter(({ stays, goes }) => isKnown(stays) || isKnown(goes))
  return (
    <>
      {error !== null && error !== undefined && <ProblemNotice problem={error} />}
      <ul className="card" aria-label={words.sideBySide}>
        {facts.map(({ label, stays, goes }) => (
          <li key={label}>
            <div className="row">
              <span className="grow">
                <span className="name">{label}</span>
                <dl className="stands pair">
                  <div>
                    <dt>{words.stays}</dt>
                    <dd>
                      <bdi>{stays ?? '–'}</bdi>
                    </dd>
                  </div>
                  <div>
                    <dt>{words.goes}</dt>
                    <dd>
                      <bdi>{goes ?? '–'}</bdi>
                    </dd>
                  </div>
                </dl>
              </span>
            </div>
          </li>
        ))}
      </ul>
      {data && data.moves.length > 0 && (
        <Notice meaning="info">
          <span className="grow">{words.moves(listed(data.moves).join(', '))}</span>
        </Notice>
      )}
      {data && data.against.length > 0 && (
        <Notice meaning="bad">
          <span className="grow">{words.against(listed(data.against).join(', '))}</span>
        </Notice>
      )}
      <div className="actions">
        <Button onPress={onClose}>{shell.cancel}</Button>
        {data && data.against.length === 0 ? (
          <Button
            look="danger"
            isBusy={isPending}
            onPress={() =>
              mutate(false, {
                onSuccess: () => {
                  toast(words.done)
                  onClose()
                },
              })
            }
          >
            {words.merge}
          </Button>
        ) : (
          <Button look="primary" isBusy={isPending} onPress={() => mutate(true)}>
            {words.look}
          </Button>
        )}
      </div>
    </>
  )
}
