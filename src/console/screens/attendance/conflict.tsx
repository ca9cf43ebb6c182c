import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import type { Mark } from '../../api/intents/marks.ts'
import { Button } from '../../parts/button.tsx'
import { Segments } from '../../parts/choose.tsx'
import { Notice } from '../../parts/notice.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { MEANINGS } from './row.tsx'

type Side = 'ours' | 'theirs'

interface ConflictProps {
  /** As they stand, and are not as ours. */
  entries: readonly Schemas['RosterEntry'][]
  ours: readonly Mark[]
  isSaving: boolean
  /** @param marks ours, without those where the other is right */
  onSettle: (marks: readonly Mark[]) => void
}

/** Two have marked one class: both marks side by side, for whoever saves last to choose. */
export const Conflict = ({ entries, ours, isSaving, onSettle }: ConflictProps) => {
  const { attendance: words, shell } = useWords()
  const format = useFormat()
  const oursOf = (id: string) => ours.find(({ studentId }) => studentId === id)
  // A mark that nobody chose stands back behind one that somebody did.
  const [sides, setSides] = useState<ReadonlyMap<string, Side>>(
    () => new Map(entries.filter(({ studentId }) => oursOf(studentId)?.isProposed).map((e) => [e.studentId, 'theirs'])),
  )
  const say = ({ status, minutesLate, note }: Pick<Schemas['RosterEntry'], 'status' | 'minutesLate' | 'note'>) => (
    <span>
      {status && words.statuses[status]}
      {minutesLate > 0 && ` · ${words.minutesLate(minutesLate)}`}
      {note !== null && (
        <>
          {' · '}
          <bdi>{note}</bdi>
        </>
      )}
    </span>
  )
  return (
    <>
      <Notice meaning="warn" isAlert>
        <span className="grow">
          <strong>{words.conflict}</strong>
          <br />
          {words.conflictText(entries.length)}
        </span>
      </Notice>
      <ul className="card conflict">
        {entries.map((entry) => {
          const { studentId, markedAt } = entry
          const name = `${entry.firstName} ${entry.lastName}`
          const our = oursOf(studentId)
          const option = (id: Side, about: string, mark: Parameters<typeof say>[0]) => ({
            id,
            meaning: MEANINGS[mark.status ?? 'present'],
            label: (
              <span className="said">
                <span className="about">{about}</span>
                {say(mark)}
              </span>
            ),
          })
          return (
            <li key={studentId}>
              <bdi className="name">{name}</bdi>
              <Segments
                label={words.of(name)}
                isLabelUnseen
                isWide
                options={[
                  ...(our ? [option('ours', words.yours, our)] : []),
                  option('theirs', words.theirs(markedAt === null ? '' : format.time(markedAt)), entry),
                ]}
                value={sides.get(studentId) ?? null}
                onChange={(side) => setSides(new Map(sides).set(studentId, side))}
              />
            </li>
          )
        })}
      </ul>
      <div className="bar">
        <span className="grow" />
        <Button
          look="primary"
          isBusy={isSaving}
          isDisabled={entries.some(({ studentId }) => !sides.has(studentId))}
          onPress={() => onSettle(ours.filter(({ studentId }) => sides.get(studentId) !== 'theirs'))}
        >
          {shell.save}
        </Button>
      </div>
    </>
  )
}
