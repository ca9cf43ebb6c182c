import { useEffect, useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { ComboBox } from 'react-aria-components/ComboBox'
import { Input } from 'react-aria-components/Input'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { useWords } from '../words/language.tsx'
import type { Option } from './choose.tsx'
import { BelowField, FieldLabel, type FieldWords } from './field.tsx'
import { Icon } from './icon.tsx'
import { usePaused } from './paused.ts'

interface SearchChoiceProps extends FieldWords {
  /** Finds what matches; '' finds what is offered before one types. */
  find: (text: string, signal: AbortSignal) => Promise<readonly Option<string>[]>
  onChoose: (option: Option<string>) => void
  placeholder?: string
  autoFocus?: boolean
}

/** One of many, found as one types. The field is empty again once something was chosen. */
export const SearchChoice = ({ find, onChoose, placeholder, autoFocus, ...words }: SearchChoiceProps) => {
  const { shell } = useWords()
  const [text, setText] = useState('')
  const paused = usePaused(text)
  const [{ found, of }, setFound] = useState<{ found: readonly Option<string>[]; of: string }>({ found: [], of: '' })
  useEffect(() => {
    const asked = new AbortController()
    // A failed look-up leaves what was found before: the next letter asks again.
    find(paused, asked.signal).then(
      (options) => setFound({ found: options, of: paused }),
      () => {},
    )
    return () => asked.abort()
  }, [paused, find])
  const choose = (option: Option<string>) => {
    onChoose(option)
    setText('')
  }
  const [only] = of === text && found.length === 1 ? found : []
  return (
    <ComboBox
      className="field"
      items={found}
      inputValue={text}
      onInputChange={setText}
      value={null}
      onChange={(id) => {
        const option = found.find((one) => one.id === id)
        if (option) choose(option)
      }}
      menuTrigger="focus"
      // That there is nothing is said of what was looked for, and of nothing else.
      allowsEmptyCollection={text.trim() !== '' && of === text}
      isInvalid={words.error !== undefined}
      {...(autoFocus && { autoFocus: true })}
    >
      <FieldLabel {...words} />
      <div className="with-button">
        <Input
          className="input"
          placeholder={placeholder}
          // What alone was found needs no arrow: Enter takes it, as it does where one searches for everything.
          onKeyDownCapture={(event) => {
            if (event.key !== 'Enter' || text.trim() === '' || only === undefined) return
            event.preventDefault()
            event.stopPropagation()
            choose(only)
          }}
        />
        <AriaButton className="icon-button">
          <Icon name="down" />
        </AriaButton>
      </div>
      <BelowField {...words} />
      <Popover className="popover">
        <ListBox items={found} renderEmptyState={() => <div className="empty">{shell.nothingFound}</div>}>
          {({ label, about }) => (
            <ListBoxItem className="option" textValue={label}>
              <span className="grow">
                <bdi>{label}</bdi>
                {about !== undefined && (
                  <span className="about">
                    <bdi>{about}</bdi>
                  </span>
                )}
              </span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  )
}
