import { registrations } from '../../api/intents/registrations.ts'
import type { Schemas } from '../../api/client.ts'
import { KeptNotices } from '../../parts/kept-notices.tsx'
import { useWords } from '../../words/language.tsx'

/** Registrations of whose answer no page waits. */
export const Screen = () => {
  const { register: words, people } = useWords()
  const nameOf = ({ students: [student] }: Schemas['NewRegistration']) =>
    `${student?.firstName ?? ''} ${student?.lastName ?? ''}`.trim()
  const unanswered = registrations.useUnanswered()
  registrations.useSending()
  return (
    <KeptNotices
      sender={registrations}
      unanswered={unanswered}
      words={{
        unanswered: (body, when) => words.unanswered(nameOf(body), when),
        unknown: (body, when) => words.unknown(nameOf(body), when),
        lookAt: { to: '/students', label: people.title },
        done: ({ students: [registered] }) => {
          const student = registered?.student
          return {
            text: words.done(student?.fullName ?? ''),
            link: student ? { to: `/students/${student.id}`, label: words.toStudent } : undefined,
          }
        },
        refused: (body) => words.notRegistered(nameOf(body)),
      }}
    />
  )
}
