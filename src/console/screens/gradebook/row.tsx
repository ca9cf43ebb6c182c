import type { ClipboardEvent, KeyboardEvent } from 'react'
import { Button, IconButton } from '../../parts/button.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { ABSENT, type Cell, type Typed } from './scores.ts'
import type { Scores } from './use-scores.ts'

interface ScoreRowProps {
  row: Scores['rows'][number]
  maxScore: number
  mayEnter: boolean
  onChange: (change: Partial<Typed>) => void
  onKey: (event: KeyboardEvent) => void
  onPaste: (event: ClipboardEvent) => void
  onRemark: () => void
  onDecide: (isOurs: boolean) => void
}

/** One student of an exam: the name, the score, whether they were absent, and what the teacher noted. */
export const ScoreRow = (props: ScoreRowProps) => {
  const { row, maxScore, mayEnter, onChange, onKey, onPaste, onRemark } = props
  const { gradebook: words } = useWords()
  const format = useFormat()
  const { studentId, name, typed, read, isNew, isWrong, theirs } = row
  const isAbsent = read !== 'wrong' && read.isAbsent
  const error = `wrong-${studentId}`
  const className = ['mark-row', isAbsent && 'absent', isWrong && 'wrong', isNew && 'changed'].filter(Boolean).join(' ')
  return (
    <li className={className} data-student={studentId}>
      <span className="who">
        <span className="grow">
          <bdi className="name">{name}</bdi>
          {/* Seen as a bar at the edge: a line of words would move what one types into. */}
          {isNew && <span className="unseen">{words.changed}</span>}
          {typed.remarks !== '' && (
            <span className="about">
              <bdi>{typed.remarks}</bdi>
            </span>
          )}
          {isWrong && (
            <span className="error" id={error}>
              {words.wrong(format.number(maxScore))}
            </span>
          )}
          {theirs && <Decide {...props} theirs={theirs} />}
        </span>
      </span>
      {mayEnter ? (
        <span className="entry">
          <input
            className="input score"
            dir="ltr"
            inputMode="decimal"
            autoComplete="off"
            enterKeyHint="next"
            aria-label={words.scoreOf(name)}
            aria-invalid={isWrong}
            {...(isWrong && { 'aria-describedby': error })}
            value={typed.score}
            onChange={(event) => onChange({ score: event.target.value })}
            onKeyDown={onKey}
            onPaste={onPaste}
            onFocus={(event) => event.target.select()}
          />
          <button
            type="button"
            className="mark absent"
            aria-pressed={isAbsent}
            aria-label={words.absentOf(name)}
            onClick={() => onChange({ score: isAbsent ? '' : ABSENT })}
          >
            {words.absent}
          </button>
          <IconButton icon="note" label={words.remarkOf(name)} onPress={onRemark} />
        </span>
      ) : (
        <strong className="mark">
          {isAbsent ? words.absent : typed.score === '' ? '–' : format.number(Number(typed.score))}
        </strong>
      )}
    </li>
  )
}

/** What somebody else entered meanwhile, and which of the two is to stand. */
const Decide = ({ theirs, row, onDecide }: ScoreRowProps & { theirs: Cell }) => {
  const { gradebook: words } = useWords()
  const format = useFormat()
  const said = (): string => {
    if (theirs.isAbsent) return words.absent
    return theirs.score === null ? words.nothing : format.number(theirs.score)
  }
  return (
    <span role="group" aria-label={words.decideFor(row.name)}>
      <span className="about">{words.theirs(said())}</span>
      <Button look="quiet" onPress={() => onDecide(false)}>
        {words.takeTheirs}
      </Button>
      <Button look="quiet" onPress={() => onDecide(true)}>
        {words.keepMine}
      </Button>
    </span>
  )
}
