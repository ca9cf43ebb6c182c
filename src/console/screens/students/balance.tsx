import { answer, api } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { Badge } from '../../parts/notice.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

/** What is owed in the institute's currency. */
export const useBalance = (studentId: string) =>
  useGet(['/students', studentId, 'statement'], async (signal) => {
    const reply = api.GET('/students/{id}/statement', { params: { path: { id: studentId } }, signal })
    return (await answer(reply)).closingBalance
  })

export const Balance = ({ studentId }: { studentId: string }) => {
  const { people } = useWords()
  const format = useFormat()
  const { data } = useBalance(studentId)
  if (!data) return null
  if (data.amountMinor === 0) return <Badge>{people.settled}</Badge>
  if (data.amountMinor > 0) return <Badge meaning="warn">{people.owes(format.money(data))}</Badge>
  return <Badge meaning="info">{people.credit(format.money({ ...data, amountMinor: -data.amountMinor }))}</Badge>
}
