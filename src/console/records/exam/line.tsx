import { Section } from '../../parts/page.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

/** A result, as far as it is compared with others. */
export interface Mark {
  examId: string
  groupId: string
  groupName: string
  title: string
  /** The day of the exam. */
  day: string
  /** null: there is none, as of somebody who was absent. */
  score: number | null
  maxScore: number
}

interface Point {
  examId: string
  title: string
  day: string
  share: number
}

/** One exam tells of no way from one to another. */
const FEWEST = 2

const pointsOf = (marks: readonly Mark[]): Point[] =>
  marks
    .flatMap(({ examId, title, day, score, maxScore }) =>
      score === null || maxScore === 0 ? [] : [{ examId, title, day, share: score / maxScore }],
    )
    .toSorted((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : 0))

/** How the marks of a student went over time, group by group. Nothing is shown of a group with fewer than two. */
export const Lines = ({ marks }: { marks: readonly Mark[] }) => {
  const { people } = useWords()
  const lines = [...new Set(marks.map(({ groupId }) => groupId))]
    .map((id) => marks.filter(({ groupId }) => groupId === id))
    .map((ofGroup) => ({ name: ofGroup[0]?.groupName ?? '', points: pointsOf(ofGroup) }))
    .filter(({ points }) => points.length >= FEWEST)
  if (lines.length === 0) return null
  return (
    <Section title={people.line}>
      <div className="lines">
        {lines.map(({ name, points }) => (
          <Line key={points[0]?.examId} name={name} points={points} />
        ))}
      </div>
    </Section>
  )
}

const WIDTH = 300
const HEIGHT = 100
/** Room for the dots at the edges. */
const EDGE = 6

/** A line for eyes, and its figures as a table for ears and for whoever wants them exactly. */
const Line = ({ name, points }: { name: string; points: readonly Point[] }) => {
  const { people } = useWords()
  const format = useFormat()
  const step = (WIDTH - 2 * EDGE) / (points.length - 1)
  const places = points.map(({ share }, at) => ({
    x: EDGE + at * step,
    y: EDGE + (1 - Math.min(share, 1)) * (HEIGHT - 2 * EDGE),
  }))
  const [first, last] = [points[0], points.at(-1)]
  return (
    <figure className="chart line">
      <figcaption>
        <bdi className="name">{name}</bdi>
        <span className="about">
          {people.lineFromTo(format.percent(first?.share ?? 0), format.percent(last?.share ?? 0))}
        </span>
      </figcaption>
      <div className="plot" aria-hidden="true">
        <span className="scale">
          {[1, 0.5, 0].map((share) => (
            <span key={share}>{format.percent(share)}</span>
          ))}
        </span>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
          {[EDGE, HEIGHT / 2, HEIGHT - EDGE].map((y) => (
            <line key={y} className="grid" x1={0} x2={WIDTH} y1={y} y2={y} />
          ))}
          <polyline className="way" points={places.map(({ x, y }) => `${x},${y}`).join(' ')} />
          {places.map(({ x, y }, at) => (
            // A line of no length with round ends stays round however the drawing is stretched.
            <path key={points[at]?.examId} className="dot" d={`M${x} ${y}h0`} />
          ))}
        </svg>
      </div>
      <div className="plot-days" aria-hidden="true">
        <span>{first && format.date(first.day)}</span>
        <span>{last && format.date(last.day)}</span>
      </div>
      <details aria-label={people.lineOf(name)}>
        <summary>{people.inFigures}</summary>
        <table aria-label={people.lineOf(name)}>
          <thead>
            <tr>
              <th scope="col">{people.exam}</th>
              <th scope="col">{people.day}</th>
              <th scope="col">{people.mark}</th>
            </tr>
          </thead>
          <tbody>
            {points.map(({ examId, title, day, share }) => (
              <tr key={examId}>
                <th scope="row">
                  <bdi>{title}</bdi>
                </th>
                <td>{format.date(day)}</td>
                <td>{format.percent(share)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}
