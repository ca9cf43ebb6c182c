import { useState, type ReactNode } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { NO_INTENT } from '../../api/intents/intent.ts'
import type { SaveField } from '../../api/versioned.ts'
import { Button } from '../../parts/button.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { useWords } from '../../words/language.tsx'

type Consequences = Schemas['GroupConsequences']

const isNothing = (followed: Consequences): boolean => Object.values(followed).every((count) => count === 0)

interface Asked {
  followed: Consequences
  decide: (isAgreed: boolean) => void
}

/**
 * Says what a change of a group means for its lessons, and asks, before it is saved. What changes no lesson is saved at
 * once.
 */
export const useConsequences = (group: Pick<Schemas['Group'], 'id' | 'name'>) => {
  const { groups: words, shell } = useWords()
  const [asked, setAsked] = useState<Asked>()
  const agree = (followed: Consequences): Promise<boolean> =>
    new Promise((decided) => {
      setAsked({
        followed,
        decide: (isAgreed) => {
          setAsked(undefined)
          decided(isAgreed)
        },
      })
    })
  const asking =
    (save: SaveField, changesOf: (typed: string) => Schemas['GroupChanges']): SaveField =>
    async (typed, started) => {
      const params = { path: { id: group.id }, header: NO_INTENT }
      const followed = await answer(api.POST('/groups/{id}/rehearsal', { params, body: changesOf(typed) }))
      if (isNothing(followed) || (await agree(followed))) await save(typed, started)
    }
  const question: ReactNode = asked && (
    <Sheet title={words.followsTitle(group.name)} isOpen onClose={() => asked.decide(false)}>
      <ul className="bullets">
        {SAID.filter((what) => asked.followed[what] > 0).map((what) => (
          <li key={what}>{words.follows[what](asked.followed[what])}</li>
        ))}
      </ul>
      <p className="soft">{words.followsTold}</p>
      <div className="actions">
        <Button onPress={() => asked.decide(false)}>{shell.leaveIt}</Button>
        <Button look="primary" onPress={() => asked.decide(true)}>
          {shell.save}
        </Button>
      </div>
    </Sheet>
  )
  return { asking, question }
}

const SAID = ['removed', 'cancelled', 'restored', 'created', 'completedEnrollments'] as const
