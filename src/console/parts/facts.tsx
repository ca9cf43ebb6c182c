import { Fragment, type ReactNode } from 'react'

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

interface FixedFactsProps extends Pick<FactsProps, 'look'> {
  /** What each is called, and its value, which stays on one line; null: it is not known, and left out. */
  rows: readonly (readonly [name: string, value: string | null])[]
}

/** Facts that are numbers, moments and names. */
export const FixedFacts = ({ rows, ...look }: FixedFactsProps) => (
  <Facts {...look}>
    {rows.map(
      ([name, value]) =>
        value !== null && (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi className="fixed">{value}</bdi>
            </dd>
          </Fragment>
        ),
    )}
  </Facts>
)
