import { useContext, useEffect, useMemo, useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { ComboBox, ComboBoxStateContext } from 'react-aria-components/ComboBox'
import { Input } from 'react-aria-components/Input'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { BelowField, FieldLabel, type FieldWords } from '../../src/console/parts/field.tsx'
import { Icon } from '../../src/console/parts/icon.tsx'
import { useFormat } from '../../src/console/words/language.tsx'
import { matching, nameMeant, zoneMeant, zonesIn } from '../../src/console/words/zones.ts'

interface ZoneFieldProps extends FieldWords {
  id: string
  /** '': what is typed is no zone yet. */
  value: string
  onChange: (zone: string) => void
  /** Called also where the same zone is chosen again. */
  onChosen: (zone: string) => void
  /** What is said where no zone matches. */
  none: string
}

/** Closes the list each time that one is chosen: it stays by itself where the field says the name already. */
const Closing = ({ chosen }: { chosen: number }) => {
  const close = useContext(ComboBoxStateContext)?.close
  useEffect(() => {
    if (chosen > 0) close?.()
    // On a choice alone: the list makes a new `close` each time.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [chosen])
  return null
}

/**
 * A time zone, found by the name of a city. What is typed becomes a zone when one is chosen, or when the field is left and
 * only one matches.
 */
export const ZoneField = ({ id, value, onChange, onChosen, none, ...words }: ZoneFieldProps) => {
  const { locale } = useFormat()
  const zones = useMemo(() => zonesIn(locale), [locale])
  /** What is typed and no zone yet; undefined: nothing. */
  const [typed, setTyped] = useState<string>()
  /** By which name the zone is shown. */
  const [meant, setMeant] = useState('')
  /** What Escape goes back to. */
  const [former, setFormer] = useState(value)
  /** How many times one was chosen. */
  const [chosen, setChosen] = useState(0)
  const nameOf = (zone: string): string => {
    const known = zones.find((one) => one.id === zone)
    return known ? nameMeant(known, meant) : zone
  }
  const shown = typed ?? nameOf(value)
  const found = useMemo(() => (typed === undefined ? zones : matching(zones, typed)), [zones, typed])
  const choose = (zone: string) => {
    setMeant(typed ?? '')
    setTyped(undefined)
    setFormer(zone)
    setChosen((times) => times + 1)
    onChange(zone)
    onChosen(zone)
  }
  const settle = () => {
    const zone = typed === undefined || typed.trim() === '' ? undefined : zoneMeant(zones, typed)
    if (zone) choose(zone.id)
  }
  return (
    <ComboBox
      id={id}
      className="field"
      items={found}
      inputValue={shown}
      onInputChange={(text) => {
        if (text === shown) return
        setTyped(text)
        onChange('')
      }}
      value={null}
      onChange={(zone) => {
        if (zone !== null) choose(String(zone))
      }}
      onBlur={settle}
      allowsCustomValue
      allowsEmptyCollection
      isInvalid={words.error !== undefined}
    >
      <Closing chosen={chosen} />
      <input type="hidden" name="timezone" value={value} />
      <FieldLabel {...words} />
      <div
        className="with-button"
        onKeyDownCapture={(event) => {
          const [first] = found
          if (event.key === 'Escape' && typed !== undefined) {
            setTyped(undefined)
            onChange(former)
          }
          const isOpen = event.currentTarget.querySelector('[aria-expanded=true]') !== null
          const hasFocused = event.currentTarget.querySelector('input[aria-activedescendant]') !== null
          // The best match needs no arrow key.
          if (event.key !== 'Enter' || typed === undefined || !isOpen || hasFocused || !first) return
          event.preventDefault()
          event.stopPropagation()
          choose(first.id)
        }}
      >
        <Input className="input" dir="auto" autoCapitalize="none" spellCheck={false} />
        <AriaButton className="icon-button">
          <Icon name="down" />
        </AriaButton>
      </div>
      <BelowField {...words} />
      {/* In the page's own landmark, as whoever reads the page by its landmarks expects. */}
      <Popover className="popover" UNSTABLE_portalContainer={document.querySelector('main') ?? document.body}>
        <ListBox items={found} renderEmptyState={() => <div className="empty">{none}</div>}>
          {({ label, detail }) => (
            <ListBoxItem className="option" textValue={label}>
              <span className="grow">
                <bdi>{label}</bdi>
                <bdi className="about ltr">{detail}</bdi>
              </span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  )
}
