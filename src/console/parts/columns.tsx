interface ColumnsProps {
  /** What is compared, for ears. The figures themselves stand in a table beside it. */
  label: string
  /** What each column of an item is; at most two. */
  series: readonly string[]
  /** Whether words stand below the columns: they have no room on a phone. */
  isWorded?: boolean
  items: readonly { id: string; under: string; values: readonly number[] }[]
}

const HEIGHT = 100
const WIDTH = 100
const GAP = 8

/** Columns side by side, where comparing is the point. What is below nothing has none. */
export const Columns = ({ label, series, items, isWorded = false }: ColumnsProps) => {
  const most = Math.max(...items.flatMap(({ values }) => values), 0)
  if (most === 0 || items.length < 2) return null
  const width = (WIDTH - GAP * (series.length + 1)) / series.length
  return (
    <figure className={isWorded ? 'chart worded' : 'chart'}>
      <figcaption className={series.length > 1 ? 'legend' : 'unseen'}>
        {series.length > 1
          ? series.map((name, at) => (
              <span key={name} {...(at > 0 && { className: 'second' })}>
                {name}
              </span>
            ))
          : label}
      </figcaption>
      <div className="plot" aria-hidden="true">
        {items.map(({ id, under, values }) => (
          <div key={id} className="item">
            <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
              {values.map((value, at) => {
                const height = (Math.max(value, 0) / most) * HEIGHT
                return (
                  <rect
                    // Each series has its place.
                    key={series[at]}
                    className={at === 0 ? 'first' : 'second'}
                    x={GAP + at * (width + GAP)}
                    y={HEIGHT - height}
                    width={width}
                    height={height}
                  />
                )
              })}
            </svg>
            <span className="under">{under}</span>
          </div>
        ))}
      </div>
    </figure>
  )
}
