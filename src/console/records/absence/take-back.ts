import { answer, api } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { explain } from '../../parts/problem-notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'

/** Takes back an announced absence. Its row is gone then, and with it what it would say. */
export const useTakeBack = (): ((id: string) => void) => {
  const words = useWords()
  const withdraw = useChange('absence', (id: string) =>
    answer(api.DELETE('/absences/{id}', { params: { path: { id } } })),
  )
  return (id) =>
    withdraw.mutate(id, {
      onSuccess: () => toast(words.people.withdrawn),
      onError: (error) => toast(explain(words, error)),
    })
}
