import type { ReactNode } from 'react'

interface FactsProps {
  /** `card`: a card of its own; `inset`: with other things in a card; `plain`: on paper. */
  look?: 'card' | 'inset' | 'plain'
  /** Pairs of `dt` and `dd`, or Editables. */
  children: ReactNode
}

/** The facts of a record: what each is, and its value beside it, or below it where that is narrow. */
export const Facts = ({ look = 'card', children }: FactsProps) => (
  <div className={`facts ${look}`}>
    <dl>{children}</dl>
  </div>
)
