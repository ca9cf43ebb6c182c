import { useEffect } from 'react'
import { useLocation } from 'wouter'

/** The field of the page that finds. */
export const FIND_FIELD = 'find'

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName) || target.role === 'spinbutton')

/** The keys that work on every page: `/` finds. */
export const useShortcuts = (): void => {
  const [, go] = useLocation()
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.altKey || event.metaKey || isTyping(event.target)) return
      event.preventDefault()
      const field = document.querySelector<HTMLInputElement>(`#${FIND_FIELD}`)
      if (field) field.focus()
      else go('/find')
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [go])
}
