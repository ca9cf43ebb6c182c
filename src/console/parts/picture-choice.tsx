import { useState, type ReactNode } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { PICTURE_TYPES, pictureFault } from '../api/upload.ts'
import { useWords } from '../words/language.tsx'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'
import { ProblemNotice } from './problem-notice.tsx'

const MOST_BYTES = 2 * 1024 * 1024

interface PictureChoiceProps {
  label: string
  /** The picture that there is, or what stands in its place. */
  shown: ReactNode
  isThere: boolean
  isBusy: boolean
  problem: unknown
  /** Gets a file that can be taken as a picture. */
  onChoose: (file: File) => void
  onRemove: () => void
}

/** One picture: to choose, to change, to remove. */
export const PictureChoice = ({ label, shown, isThere, isBusy, problem, onChoose, onRemove }: PictureChoiceProps) => {
  const { institute: words, shell } = useWords()
  const [fault, setFault] = useState<'type' | 'size'>()
  const choose = (file: File | undefined) => {
    if (!file) return
    const wrong = pictureFault(file, MOST_BYTES)
    setFault(wrong)
    if (wrong === undefined) onChoose(file)
  }
  return (
    <div className="spaced">
      <p className="label">{label}</p>
      {problem !== null && problem !== undefined && <ProblemNotice problem={problem} />}
      {fault !== undefined && (
        <Notice meaning="bad" isAlert>
          {words.pictureFaults[fault]}
        </Notice>
      )}
      <div className="actions">
        {shown}
        <FileTrigger acceptedFileTypes={PICTURE_TYPES} onSelect={(files) => choose(files?.[0])}>
          <Button isBusy={isBusy}>{isThere ? words.pictureChange : words.pictureChoose}</Button>
        </FileTrigger>
        {isThere && (
          <Button look="quiet" onPress={onRemove}>
            {shell.remove}
          </Button>
        )}
      </div>
      <p className="small below">{words.pictureHint}</p>
    </div>
  )
}
