import { answer, api } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { Badge } from '../../parts/notice.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

/** What is owed in the institute's currency, and what is held in cheques for it. */
const useStatement = (studentId: string) =>
  useGet(['/students', studentId, 'statement'], (signal) =>
    answer(api.GET('/students/{id}/statement', { params: { path: { id: studentId } }, signal })),
  )

export const Balance = ({ studentId }: { studentId: string }) => {
  const { people, cheques } = useWords()
  const format = useFormat()
  const { data } = useStatement(studentId)
  if (!data) return null
  const { closingBalance: balance, held } = data
  const meaning = balance.amountMinor > 0 ? 'warn' : balance.amountMinor < 0 ? 'info' : undefined
  const amount = format.money({ ...balance, amountMinor: Math.abs(balance.amountMinor) })
  const say = balance.amountMinor > 0 ? people.owes : people.credit
  return (
    <>
      <Badge {...(meaning && { meaning })}>{meaning ? say(amount) : people.settled}</Badge>
      {held.amountMinor > 0 && <Badge meaning="info">{cheques.held(format.money(held))}</Badge>}
    </>
  )
}
