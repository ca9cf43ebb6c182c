import { useRef, useState } from 'react'
import { Input } from 'react-aria-components/Input'
import { TextField } from 'react-aria-components/TextField'
import { useWords } from '../words/language.tsx'
import { Button } from './button.tsx'
import { BelowField, FieldLabel, type FieldWords } from './field.tsx'

interface CopiedProps extends Omit<FieldWords, 'error'> {
  text: string
  /** Whether a phone offers to send it on. */
  isShared?: boolean
}

/** Something to be copied elsewhere. */
export const Copied = ({ text, isShared = false, ...words }: CopiedProps) => {
  const { shell } = useWords()
  const input = useRef<HTMLInputElement>(null)
  const [isCopied, setCopied] = useState(false)
  const copy = () => {
    input.current?.select()
    // The newer way is missing on a plain http address of the local network.
    setCopied(document.execCommand('copy'))
  }
  return (
    <TextField className="field" value={text} isReadOnly>
      <FieldLabel {...words} />
      <div className="beside">
        <Input ref={input} className="input" dir="ltr" onFocus={(event) => event.currentTarget.select()} />
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
