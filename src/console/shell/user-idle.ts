import { useState, useSyncExternalStore } from 'react'

/** Whoever has not moved for this long is not about to tap. */
const STILL_MILLIS = 2000
/** Ignore events this soon after a page opened: the tap and the scroll to the top are not the reader's. */
const OPENING_MILLIS = 300

const EVENTS = ['pointerdown', 'pointermove', 'pointerup', 'keydown', 'scroll', 'wheel', 'touchmove'] as const

/** Set while somebody is moving. */
let moving: ReturnType<typeof setTimeout> | undefined
let movedAt = 0
const watchers = new Set<() => void>()
let isListening = false

const tellAll = (): void => {
  for (const watcher of watchers) watcher()
}

const moved = (): void => {
  clearTimeout(moving)
  movedAt = performance.now()
  moving = setTimeout(() => {
    moving = undefined
    tellAll()
  }, STILL_MILLIS)
  tellAll()
}

const watch = (tell: () => void): (() => void) => {
  if (!isListening)
    for (const event of EVENTS) document.addEventListener(event, moved, { capture: true, passive: true })
  isListening = true
  watchers.add(tell)
  return () => watchers.delete(tell)
}

/**
 * The newest value, once nobody is touching the page: what it moves never moves under a finger.
 * @param value stays the same object while nothing has changed
 * @param keyOf what places depend on: a value with the same key takes the place of the former one at once
 */
export const useStill = <T>(value: T, keyOf: (value: T) => string): T => {
  const [openAt] = useState(() => performance.now() + OPENING_MILLIS)
  const isMoving = useSyncExternalStore(watch, () => moving !== undefined && movedAt > openAt)
  const [shown, setShown] = useState(value)
  if (shown === value || (isMoving && keyOf(shown) !== keyOf(value))) return shown
  setShown(value)
  return value
}
