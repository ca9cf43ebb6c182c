import { useEffect, useRef, useState, type ClipboardEvent, type KeyboardEvent, type ReactNode } from 'react'
import { Button } from '../../parts/button.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { LongField } from '../../parts/field.tsx'
import { Notice } from '../../parts/notice.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useIsWide } from '../../shell/device.ts'
import { useFormat, useWords } from '../../words/language.tsx'
import { readPasted } from './pasted.ts'
import { ScoreRow } from './row.tsx'
import type { Scores } from './use-scores.ts'

/** From here on the keyboard has its line of help. */
const WIDE = 700
/** As many letters as the API takes. */
const LONGEST_REMARK = 1000

interface ScoreListProps {
  scores: Scores
  maxScore: number
  mayEnter: boolean
  /** What comes after saving; undefined: nothing does. */
  next: ReactNode
}

/** The names of a class with a field for each, by keyboard from one to the next, and the bar that saves it. */
export const ScoreList = ({ scores, maxScore, mayEnter, next }: ScoreListProps) => {
  const { gradebook: words } = useWords()
  const isWide = useIsWide(WIDE)
  const list = useRef<HTMLUListElement>(null)
  const [unknown, setUnknown] = useState<readonly string[]>([])
  const [openId, setOpenId] = useState<string>()
  const { rows, set } = scores

  const save = async (): Promise<void> => {
    if (scores.count === 0 || scores.hasWrong || scores.undecided > 0 || scores.isBusy) return
    if (await scores.save()) toast(words.savedAll)
  }
  const focusRow = (at: number): void => {
    const fields = list.current?.querySelectorAll<HTMLInputElement>('input.score')
    const field = fields?.[Math.max(0, Math.min(rows.length - 1, at))]
    field?.focus()
    field?.select()
  }
  const onKey = (event: KeyboardEvent, at: number): void => {
    if (event.key === 'Enter' && event.ctrlKey) void save()
    else if (event.key === 'Enter' || event.key === 'ArrowDown') focusRow(at + 1)
    else if (event.key === 'ArrowUp') focusRow(at - 1)
    else return
    event.preventDefault()
  }
  const onPaste = (event: ClipboardEvent, at: number): void => {
    const text = event.clipboardData.getData('text/plain')
    if (!/[\t\n]/.test(text.trim())) return
    event.preventDefault()
    const pasted = readPasted(text, rows, at)
    setUnknown(pasted.unknown)
    set(new Map([...pasted.scores].map(([studentId, score]) => [studentId, { score }])))
  }
  const opened = rows.find(({ studentId }) => studentId === openId)
  return (
    <>
      {unknown.length > 0 && (
        <Notice meaning="warn" isAlert>
          <span className="grow">
            {words.pastedUnknown(unknown.length)}{' '}
            <Dotted>
              {[...new Set(unknown)].map((line) => (
                <bdi key={line}>{line}</bdi>
              ))}
            </Dotted>
          </span>
        </Notice>
      )}
      {scores.undecided > 0 && (
        <Notice meaning="warn" isAlert>
          <span className="grow">{words.conflict(scores.undecided)}</span>
        </Notice>
      )}
      <ul className="card scores" ref={list}>
        {rows.map((row, at) => (
          <ScoreRow
            key={row.studentId}
            row={row}
            maxScore={maxScore}
            mayEnter={mayEnter}
            onChange={(change) => set(new Map([[row.studentId, change]]))}
            onKey={(event) => onKey(event, at)}
            onPaste={(event) => onPaste(event, at)}
            onRemark={() => setOpenId(row.studentId)}
            onDecide={(isOurs) => scores.decide(row.studentId, isOurs)}
          />
        ))}
      </ul>
      {mayEnter && isWide && <p className="small keys">{words.keys}</p>}
      {mayEnter && (
        <Bar
          scores={scores}
          onSave={() => void save()}
          onWrong={() => focusRow(rows.findIndex(({ isWrong }) => isWrong))}
          next={next}
        />
      )}
      {opened && (
        <Remark
          name={opened.name}
          start={opened.typed.remarks}
          onClose={() => setOpenId(undefined)}
          onSet={(remarks) => set(new Map([[opened.studentId, { remarks }]]))}
        />
      )}
    </>
  )
}

interface RemarkProps {
  name: string
  start: string
  onSet: (remarks: string) => void
  onClose: () => void
}

const Remark = ({ name, start, onSet, onClose }: RemarkProps) => {
  const { gradebook: words, shell } = useWords()
  const [text, setText] = useState(start)
  return (
    <Sheet title={words.remarkOf(name)} isOpen onClose={onClose}>
      <LongField
        label={words.remark}
        hint={words.remarkHint}
        value={text}
        onChange={setText}
        maxLength={LONGEST_REMARK}
        autoFocus
      />
      <div className="actions">
        <Button onPress={onClose}>{shell.cancel}</Button>
        <Button
          look="primary"
          isDisabled={text.trim().length > LONGEST_REMARK}
          onPress={() => {
            onSet(text)
            onClose()
          }}
        >
          {words.keepRemark}
        </Button>
      </div>
    </Sheet>
  )
}

interface BarProps extends Pick<ScoreListProps, 'scores' | 'next'> {
  onSave: () => void
  /** Goes to the first mark that cannot be saved. */
  onWrong: () => void
}

const Bar = ({ scores, onSave, onWrong, next }: BarProps) => {
  const { gradebook: words, attendance, shell } = useWords()
  const format = useFormat()
  const { rows, count, hasWrong, isBusy } = scores
  const entered = rows.filter(({ typed, isWrong }) => typed.score.trim() !== '' && !isWrong).length
  // Whoever leaves with marks that are not saved finds them again, but the class does not have them.
  useEffect(() => {
    if (count === 0) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [count])
  const state = () => {
    if (isBusy) return shell.saving
    if (hasWrong) return words.someWrong
    if (scores.isRestored) return words.restored
    return count > 0 ? words.unsaved(count) : ''
  }
  return (
    <div className="bar">
      {/* In the middle of a long class one sees of the page what stands here. */}
      {scores.problem !== undefined && <ProblemNotice problem={scores.problem} onRetry={onSave} />}
      <div className="grow">
        <span className="sum">{words.entered(format.number(entered), format.number(rows.length))}</span>
        <div className="state small">
          <span role="status">{state()}</span>
          {hasWrong && !isBusy && (
            <Button look="quiet" onPress={onWrong}>
              {words.toWrong}
            </Button>
          )}
          {scores.isRestored && (
            <Button look="quiet" onPress={scores.startOver}>
              {attendance.startOver}
            </Button>
          )}
        </div>
      </div>
      {count === 0 && !isBusy && next ? (
        next
      ) : (
        <Button
          look="primary"
          isBusy={isBusy}
          isDisabled={count === 0 || hasWrong || scores.undecided > 0}
          onPress={onSave}
        >
          {shell.save}
        </Button>
      )}
    </div>
  )
}
