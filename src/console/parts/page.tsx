import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react'
import { usePlace } from './place.tsx'

interface PageProps {
  title: ReactNode
  /** The title for the browser's tab and the head of a phone, where `title` is more than text. */
  name?: string
  /** Below the title. */
  about?: ReactNode
  /** At the end of the head: the one primary action, and what is beside it. */
  actions?: ReactNode
  /** Whether a field of the page takes the focus, and not its title. */
  hasOwnFocus?: boolean
  /** Whether its title takes the focus although the address is the same: it follows another page there. */
  isNext?: boolean
  children: ReactNode
}

/** Whether the title that was just taken away had the focus: the page is loaded, and stands in the place of its waiting. */
let hadFocus = false

/** One page: its title, its actions, its content. The title takes the focus when one comes from another page. */
export const Page = ({ title, name, about, actions, hasOwnFocus = false, isNext = false, children }: PageProps) => {
  const place = usePlace(name ?? (typeof title === 'string' ? title : ''))
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    const own = heading.current
    return () => {
      hadFocus = own !== null && document.activeElement === own
    }
  }, [])
  useEffect(() => {
    const isNew = place.isNew() || isNext || hadFocus
    hadFocus = false
    if (isNew && !hasOwnFocus) heading.current?.focus({ preventScroll: true })
  }, [place, hasOwnFocus, isNext])
  return (
    <>
      <div className="page-head">
        <div className="titles">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {about !== undefined && <div className="soft">{about}</div>}
        </div>
        {actions !== undefined && <div className="actions">{actions}</div>}
      </div>
      {children}
    </>
  )
}

interface SectionProps {
  title: ReactNode
  actions?: ReactNode
  children: ReactNode
}

export const Section = ({ title, actions, children }: SectionProps) => (
  <section className="section">
    <div className="section-head">
      <h2>{title}</h2>
      {actions}
    </div>
    {children}
  </section>
)
