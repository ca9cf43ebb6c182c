import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'

/** The field of the page that finds. */
export const FIND_FIELD = 'find'

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName) || target.role === 'spinbutton')

/** What the key of the slash types on Hebrew and on Arabic keyboards. */
const SLASH_ELSEWHERE = ['.', 'ظ']

const isSlash = ({ key, code, shiftKey }: KeyboardEvent): boolean =>
  key === '/' || (code === 'Slash' && !shiftKey && SLASH_ELSEWHERE.includes(key))

const isQuestion = ({ key }: KeyboardEvent): boolean => key === '?' || key === '؟'

/** The keys that work on every page: `/` finds, `?` lists them all. */
export const useShortcuts = () => {
  const [, go] = useLocation()
  const [isListed, setListed] = useState(false)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.altKey || event.metaKey || isTyping(event.target)) return
      if (!isSlash(event) && !isQuestion(event)) return
      event.preventDefault()
      if (isQuestion(event)) return setListed(true)
      const field = document.querySelector<HTMLInputElement>(`#${FIND_FIELD}`)
      if (field) field.focus()
      else go('/find')
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [go])
  return { isListed, list: () => setListed(true), unlist: () => setListed(false) }
}
