import { useRef, useState } from 'react'
import { TextArea } from 'react-aria-components/TextArea'
import { TextField } from 'react-aria-components/TextField'
import { useWords } from '../words/language.tsx'
import { Button } from './button.tsx'
import { BelowField, FieldLabel, type FieldWords } from './field.tsx'

interface CopiedProps extends Omit<FieldWords, 'error'> {
  text: string
  /** Whether a phone offers to send it on. */
  isShared?: boolean
}

/** So many characters of an address find room in a line of a phone. */
const A_LINE = 36

const rowsOf = (text: string): number =>
  text.split('\n').reduce((rows, line) => rows + Math.max(1, Math.ceil(line.length / A_LINE)), 0)

/** Something to be copied elsewhere. */
export const Copied = ({ text, isShared = false, ...words }: CopiedProps) => {
  const { shell } = useWords()
  const input = useRef<HTMLTextAreaElement>(null)
  const [isCopied, setCopied] = useState(false)
  const copy = () => {
    input.current?.select()
    // The newer way is missing on a plain http address of the local network.
    setCopied(document.execCommand('copy'))
  }
  return (
    <TextField className="field" value={text} isReadOnly>
      <FieldLabel {...words} />
      {/* All of it is seen, however long: people look whether it is the right one. */}
      <TextArea
        ref={input}
        className="copied"
        dir="ltr"
        rows={rowsOf(text)}
        onFocus={(event) => event.currentTarget.select()}
      />
      <div className="chips">
        <Button icon={isCopied ? 'tick' : undefined} onPress={copy}>
          {isCopied ? shell.copied : shell.copy}
        </Button>
        {/* Browsers have it where there are other programs to send it with, and not on plain http. */}
        {isShared && 'share' in navigator && (
          <Button onPress={() => void navigator.share({ url: text }).catch(() => undefined)}>{shell.share}</Button>
        )}
      </div>
      <BelowField hint={words.hint} error={undefined} />
    </TextField>
  )
}
