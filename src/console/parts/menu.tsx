import { Fragment, type ReactNode } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { Menu as AriaMenu, MenuItem, MenuTrigger } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { Separator } from 'react-aria-components/Separator'
import { Icon, type IconName } from './icon.tsx'

export interface MenuEntry {
  id: string
  label: string
  icon?: IconName
  /** What cannot be undone, or rarely should be done. */
  isDangerous?: boolean
  isChosen?: boolean
  /** Whether a line stands above it: what follows is of another kind. */
  startsGroup?: boolean
  onSelect: () => void
}

interface MenuProps {
  /** What the menu is called, and its button where it shows an icon alone. */
  label: string
  icon?: IconName
  /** What the button shows, and is called by. */
  text?: ReactNode
  entries: readonly MenuEntry[]
  className?: string
}

/** Few things that one needs rarely, behind a button. */
export const Menu = ({ label, icon = 'more', text, entries, className = 'icon-button' }: MenuProps) => (
  <MenuTrigger>
    <AriaButton className={className} {...(text === undefined && { 'aria-label': label })}>
      {text ?? <Icon name={icon} />}
    </AriaButton>
    <Popover className="popover">
      <AriaMenu aria-label={label}>
        {entries.map((entry, at) => (
          <Fragment key={entry.id}>
            {entry.startsGroup && at > 0 && <Separator className="separator" />}
            <MenuItem
              id={entry.id}
              textValue={entry.label}
              className={entry.isDangerous ? 'option danger' : 'option'}
              onAction={entry.onSelect}
            >
              {entry.icon && <Icon name={entry.icon} />}
              <span className="grow">{entry.label}</span>
              {entry.isChosen && <Icon name="tick" />}
            </MenuItem>
          </Fragment>
        ))}
      </AriaMenu>
    </Popover>
  </MenuTrigger>
)
