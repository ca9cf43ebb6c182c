import type { Schemas } from '../../api/client.ts'
import { useFormat, useWords } from '../../words/language.tsx'

/** A long text is read where it was written. */
const LONGEST = 160

export const shortened = (text: string): string =>
  text.length > LONGEST ? `${text.slice(0, LONGEST).trimEnd()}…` : text

interface HomeworkProps {
  homework: Schemas['Homework']
  /** The day on which one reads it, or for which. */
  day: string
}

const Due = ({ homework: { dueOn }, day }: HomeworkProps) => {
  const { lesson: words } = useWords()
  const format = useFormat()
  if (dueOn === null) return null
  return <span className="about">{dueOn === day ? words.dueToday : words.due(format.date(dueOn))}</span>
}

/** Homework as lines of a list: how it begins, and by when. */
export const HomeworkLine = (props: HomeworkProps) => {
  const { lesson: words } = useWords()
  return (
    <span className="written">
      <span className="about">{words.homework}</span>
      <bdi>{shortened(props.homework.text)}</bdi>
      <Due {...props} />
    </span>
  )
}

/** Homework for whoever has to do it: all of it, and by when. */
export const WholeHomework = (props: HomeworkProps) => (
  <span className="written">
    <bdi>{props.homework.text}</bdi>
    <Due {...props} />
  </span>
)
