import { useEffect, useRef } from 'react'
import { STATUSES, type Status } from './row.tsx'

interface Keys {
  /** How many rows there are. */
  count: number
  /** At which the keyboard is. */
  current: number
  statusOf: (row: number) => Status
  go: (row: number) => void
  mark: (row: number, status: Status) => void
  open: (row: number) => void
  save: () => void
}

/** Where keys mean something else. */
const ELSEWHERE = 'input, textarea, select, [role="dialog"], [role="menu"], [role="listbox"]'

/** Digits of any keyboard: Arabic ones too. */
const digitOf = ({ code }: KeyboardEvent): number => Number(/^(?:Digit|Numpad)([1-4])$/.exec(code)?.[1] ?? 0)

const isForward = (key: string): boolean => (key === 'ArrowRight') === (document.documentElement.dir !== 'rtl')

/** Runs what a key means. @returns whether it means anything */
const run = (event: KeyboardEvent, keys: Keys, isInList: boolean): boolean => {
  const { current, count } = keys
  const to = (row: number): true => {
    keys.go(Math.max(0, Math.min(count - 1, row)))
    return true
  }
  const digit = digitOf(event)
  if (digit > 0) {
    keys.mark(current, STATUSES[digit - 1] as Status)
    return true
  }
  switch (event.key) {
    case 'ArrowDown':
      return to(isInList ? current + 1 : current)
    case 'ArrowUp':
      return to(isInList ? current - 1 : current)
    case 'Home':
      return to(0)
    case 'End':
      return to(count - 1)
    case 'Enter':
      return isInList && to(current + 1)
    case ' ':
      if (isInList) keys.open(current)
      return isInList
    case 'ArrowLeft':
    case 'ArrowRight': {
      if (!isInList) return false
      const at = STATUSES.indexOf(keys.statusOf(current)) + (isForward(event.key) ? 1 : -1)
      const status = STATUSES[at]
      if (status) keys.mark(current, status)
      return true
    }
    default:
      return false
  }
}

/** Attendance by the keyboard alone, from anywhere on the page. */
export const useKeys = (keys: Keys, isOff: boolean): void => {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    if (isOff) return undefined
    const press = (event: KeyboardEvent) => {
      const target = event.target instanceof Element ? event.target : document.body
      if (target.closest(ELSEWHERE) || event.altKey || event.metaKey) return
      if (event.ctrlKey) {
        if (event.key !== 'Enter') return
        event.preventDefault()
        latest.current.save()
        return
      }
      const isInList = target.closest('[data-student]') !== null
      const isButtonElsewhere = !isInList && target.closest('a, button') !== null
      if (isButtonElsewhere && ['Enter', ' '].includes(event.key)) return
      if (latest.current.count > 0 && run(event, latest.current, isInList)) event.preventDefault()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [isOff])
}
