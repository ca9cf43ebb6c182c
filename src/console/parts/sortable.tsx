import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'
import { Icon } from './icon.tsx'

interface SortableProps<T> {
  items: readonly T[]
  /** What the list is of. */
  label: string
  /** `card`: rows of one card; `apart`: each by itself. */
  look: 'card' | 'apart'
  /** What the handle of an item is called; undefined: the reader may not sort. */
  handle: ((item: T) => string) | undefined
  /** Where an item stands now, for ears. */
  placed: (item: T, place: number, all: number) => string
  onSort: (ids: string[]) => void
  children: (item: T, handle: ReactNode, at: number) => ReactNode
}

/** Where an item stood as the drag began, on the page. */
interface Place {
  top: number
  height: number
}

interface Drag {
  id: string
  from: number
  to: number
  /** How far the item was dragged. */
  by: number
  /** How far the others give way for it. */
  room: number
}

/** So close to the edge of the window, the page goes on below the finger. */
const EDGE = 72
const STEP = 9
/** A third into a neighbour, that gives way; a tall one does so sooner. */
const REACH = 40

const withItemAt = (ids: readonly string[], from: number, to: number): string[] => {
  const rest = ids.filter((_, at) => at !== from)
  return [...rest.slice(0, to), ids[from] as string, ...rest.slice(to)]
}

/** The place that an item at this height takes. */
const placeAt = (places: readonly Place[], from: number, y: number): number =>
  places.filter(({ top, height }, at) => {
    if (at === from) return false
    const reach = Math.min(height / 3, REACH)
    return at < from ? top + height - reach < y : top + reach < y
  }).length

/** How far the others give way for an item. */
const roomOf = (places: readonly Place[], from: number): number => {
  const [before, own, after] = [places[from - 1], places[from], places[from + 1]]
  if (!own) return 0
  if (after) return after.top - own.top
  return before ? own.top + own.height - before.top - before.height : 0
}

/** The drag, with the pointer where it is now. */
const follow = (drag: Drag, places: readonly Place[], { started, y }: { started: number; y: number }): Drag => {
  const now = y + window.scrollY
  return { ...drag, by: now - started, to: placeAt(places, drag.from, now) }
}

const shiftOf = ({ id, from, to, by, room }: Drag, itemId: string, at: number): number => {
  if (itemId === id) return by
  if (at > from && at <= to) return -room
  return at < from && at >= to ? room : 0
}

/**
 * A list that people sort: each item has a handle, which a pointer or a finger drags, and which the arrow keys move. It goes
 * by pointer events, as what browsers call dragging does not work by touch.
 */
export const Sortable = <T extends { id: string }>({
  items,
  label,
  look,
  handle,
  placed,
  onSort,
  children,
}: SortableProps<T>) => {
  const list = useRef<HTMLOListElement>(null)
  const places = useRef<readonly Place[]>([])
  const pointer = useRef({ started: 0, y: 0 })
  /** Whose handle had the keyboard: in its new place it is another time in the document, without the focus. */
  const moved = useRef<string>(undefined)
  const [drag, setDrag] = useState<Drag>()
  const [said, setSaid] = useState('')
  const ids = items.map(({ id }) => id)
  const isDragging = drag !== undefined

  useEffect(() => {
    const id = moved.current
    if (id === undefined) return
    moved.current = undefined
    list.current?.querySelector<HTMLElement>(`[data-handle="${id}"]`)?.focus()
  })

  useEffect(() => {
    if (!isDragging) return undefined
    const goOn = () => {
      const { y } = pointer.current
      const step = y < EDGE ? -STEP : y > window.innerHeight - EDGE ? STEP : 0
      if (step !== 0) {
        window.scrollBy(0, step)
        setDrag((now) => now && follow(now, places.current, pointer.current))
      }
      frame = requestAnimationFrame(goOn)
    }
    let frame = requestAnimationFrame(goOn)
    const giveUp = (event: globalThis.KeyboardEvent) => {
      if (event.key === 'Escape') setDrag(undefined)
    }
    window.addEventListener('keydown', giveUp)
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('keydown', giveUp)
    }
  }, [isDragging])

  const begin = (event: PointerEvent<HTMLElement>, at: number) => {
    if (event.button !== 0 || !list.current) return
    event.currentTarget.setPointerCapture(event.pointerId)
    places.current = [...list.current.children].map((item) => {
      const { top, height } = item.getBoundingClientRect()
      return { top: top + window.scrollY, height }
    })
    pointer.current = { started: event.clientY + window.scrollY, y: event.clientY }
    setDrag({ id: ids[at] as string, from: at, to: at, by: 0, room: roomOf(places.current, at) })
  }
  const end = (event: PointerEvent<HTMLElement>) => {
    setDrag(undefined)
    if (!drag || ids[drag.from] !== drag.id) return
    // The last move may not have been drawn yet: a quick hand lets go within the same frame.
    const { from, to } = follow(drag, places.current, { ...pointer.current, y: event.clientY })
    if (to !== from) onSort(withItemAt(ids, from, to))
  }
  const press = (event: KeyboardEvent, item: T, at: number) => {
    const to = event.key === 'ArrowUp' ? at - 1 : event.key === 'ArrowDown' ? at + 1 : at
    if (to === at) return
    event.preventDefault()
    if (to < 0 || to >= ids.length) return
    moved.current = item.id
    setSaid(placed(item, to + 1, ids.length))
    onSort(withItemAt(ids, at, to))
  }
  const handleOf = (item: T, at: number) =>
    handle && (
      <button
        type="button"
        className="icon-button handle"
        aria-label={handle(item)}
        data-handle={item.id}
        onKeyDown={(event) => press(event, item, at)}
        onPointerDown={(event) => begin(event, at)}
        onPointerMove={(event) => {
          if (!drag) return
          pointer.current.y = event.clientY
          setDrag(follow(drag, places.current, pointer.current))
        }}
        onPointerUp={end}
        onPointerCancel={() => setDrag(undefined)}
      >
        <Icon name="grip" />
      </button>
    )
  return (
    <>
      <ol ref={list} className={look === 'card' ? 'card sortable' : 'sortable'} aria-label={label}>
        {items.map((item, at) => (
          <li
            key={item.id}
            className={drag?.id === item.id ? 'dragged' : undefined}
            style={drag ? { transform: `translateY(${shiftOf(drag, item.id, at)}px)` } : undefined}
          >
            {children(item, handleOf(item, at), at)}
          </li>
        ))}
      </ol>
      <span className="unseen" role="status">
        {said}
      </span>
    </>
  )
}
