import { useId, useState, type ReactNode } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { useWords } from '../words/language.tsx'

interface FiltersProps {
  search: ReactNode
  /** How many of the choices narrow the list. */
  active: number
  /** The choices. */
  children: ReactNode
}

/** What narrows a list. Where there is little room, the choices wait behind a button, so that one sees the list itself. */
export const Filters = ({ search, active, children }: FiltersProps) => {
  const { directory } = useWords()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="filters foldable">
      {search}
      <AriaButton
        className="button fold"
        aria-expanded={isOpen}
        aria-controls={id}
        onPress={() => setOpen((wasOpen) => !wasOpen)}
      >
        {active === 0 ? directory.filters : directory.filtersOn(active)}
      </AriaButton>
      <div id={id} className={isOpen ? 'choices open' : 'choices'}>
        {children}
      </div>
    </div>
  )
}
