import type { ReactNode } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { Checkbox } from 'react-aria-components/Checkbox'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup'
import { Select, SelectValue } from 'react-aria-components/Select'
import { useFirstWords } from '../words/language.tsx'
import { BelowField, FieldLabel, type FieldWords } from './field.tsx'
import { Icon } from './icon.tsx'

export interface Option<Id extends string> {
  id: Id
  label: string
  about?: string
}

export interface ChoiceProps<Id extends string> extends FieldWords {
  options: readonly Option<Id>[]
  value: Id | null
  onChange: (id: Id) => void
  placeholder?: string
  autoFocus?: boolean
  /** What is chosen, by name, where that may not be among the options. */
  shown?: string | undefined
  /** In place of the list of the options. */
  list?: ReactNode
  onOpenChange?: (isOpen: boolean) => void
  /** By which its button is found, as `data-name`. */
  name?: string
}

/** One of a list. */
export const Choice = <Id extends string>({
  options,
  value,
  onChange,
  placeholder,
  autoFocus,
  shown,
  list,
  onOpenChange,
  name,
  ...words
}: ChoiceProps<Id>) => {
  const { shell } = useFirstWords()
  return (
    <Select
      className="field"
      value={value}
      onChange={(id) => onChange(id as Id)}
      isInvalid={words.error !== undefined}
      {...(onOpenChange && { onOpenChange })}
      placeholder={placeholder ?? shell.choose}
      {...(autoFocus && { autoFocus: true })}
    >
      <FieldLabel {...words} />
      <AriaButton className="input select" {...(name && { 'data-name': name })}>
        <SelectValue>{({ defaultChildren, selectedText }) => shown ?? (selectedText || defaultChildren)}</SelectValue>
        <Icon name="down" />
      </AriaButton>
      <BelowField {...words} />
      <Popover className="popover">{list || <OptionList options={options} />}</Popover>
    </Select>
  )
}

/** @param empty what is said where there are none */
export const OptionList = ({ options, empty }: { options: readonly Option<string>[]; empty?: string }) => (
  <ListBox items={options} {...(empty && { renderEmptyState: () => <div className="empty">{empty}</div> })}>
    {({ label, about }) => (
      <ListBoxItem className="option" textValue={label}>
        <span className="grow">
          {label}
          {about !== undefined && <span className="about">{about}</span>}
        </span>
      </ListBoxItem>
    )}
  </ListBox>
)

/** A colour is never the only sign: the word of the choice stands in it. */
type Meaning = 'good' | 'bad' | 'warn' | 'info'

interface SegmentsProps<Id extends string> {
  label: string
  /** Whether the label is for ears only. */
  isLabelUnseen?: boolean
  /** What is wrong; undefined: nothing is known to be. */
  error?: string
  options: readonly { id: Id; label: ReactNode; meaning?: Meaning }[]
  value: Id | null
  onChange: (id: Id) => void
  isWide?: boolean
}

/** One of two to four, all of them seen. */
export const Segments = <Id extends string>(props: SegmentsProps<Id>) => (
  <RadioGroup
    className={props.isLabelUnseen ? undefined : 'field'}
    orientation="horizontal"
    value={props.value}
    onChange={(id) => props.onChange(id as Id)}
    isInvalid={props.error !== undefined}
    validationBehavior="aria"
    {...(props.isLabelUnseen && { 'aria-label': props.label })}
  >
    {!props.isLabelUnseen && <FieldLabel label={props.label} />}
    <div className={props.isWide ? 'segments wide' : 'segments'}>
      {props.options.map(({ id, label, meaning }) => (
        <Radio key={id} value={id} className={meaning ? `segment-choice ${meaning}` : 'segment-choice'}>
          {label}
        </Radio>
      ))}
    </div>
    {!props.isLabelUnseen && <BelowField error={props.error} />}
  </RadioGroup>
)

interface CheckProps {
  children?: ReactNode
  isChecked: boolean
  /** Whether some of what it stands for is checked, where not all is. */
  isPartly?: boolean
  onChange: (isChecked: boolean) => void
  isDisabled?: boolean
  /** In a list that has keys of its own for it. */
  isOutOfTabs?: boolean
  'aria-label'?: string
}

export const Check = ({ children, isChecked, isPartly, isOutOfTabs, onChange, ...rest }: CheckProps) => (
  <Checkbox
    className="check"
    isSelected={isChecked}
    isIndeterminate={isPartly === true && !isChecked}
    excludeFromTabOrder={isOutOfTabs === true}
    onChange={onChange}
    {...rest}
  >
    <span className="box">
      <Icon name={isPartly && !isChecked ? 'minus' : 'tick'} />
    </span>
    {children !== undefined && <span className="grow">{children}</span>}
  </Checkbox>
)
