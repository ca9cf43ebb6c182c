import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Menu } from '../../parts/menu.tsx'
import { Confirm } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'

/** What can be done with a fee: it is changed, or charged no more. */
export const FeeMenu = ({ fee, onEdit }: { fee: Schemas['FeeSchedule']; onEdit: () => void }) => {
  const { fees: words, shell } = useWords()
  const [isAsked, setAsked] = useState(false)
  const { id, name } = fee
  const stop = useChange('fee', () =>
    answer(api.PATCH('/fee-schedules/{id}', { params: { path: { id } }, body: { isActive: false } })),
  )
  return (
    <>
      <Menu
        label={words.more(name)}
        entries={[
          { id: 'edit', label: shell.edit, onSelect: onEdit },
          { id: 'stop', label: words.stop, isDangerous: true, onSelect: () => setAsked(true) },
        ]}
      />
      <Confirm
        title={words.stopAsk(name)}
        verb={words.stop}
        isDangerous
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={async () => {
          await stop.mutateAsync(undefined)
          toast(words.stopped(name))
        }}
      >
        <p>{words.stopText}</p>
      </Confirm>
    </>
  )
}
