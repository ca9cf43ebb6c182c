import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Choice } from '../../parts/choose.tsx'
import { Confirm } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'

type How = Schemas['TellAllByHand']['how']

const WAYS = ['whatsapp', 'call', 'sms', 'other'] as const satisfies readonly How[]

/** Marks everybody who is to be told of one message, as when it was written into the group of a class's parents. */
export const AllTold = ({ sourceId }: { sourceId: string }) => {
  const { calls: words } = useWords()
  const [isAsked, setAsked] = useState(false)
  const [how, setHow] = useState<(typeof WAYS)[number]>('whatsapp')
  const tell = useChange('call', (_: void, header) =>
    answer(api.POST('/notifications/calls/told', { params: { header }, body: { sourceId, how } })),
  )
  return (
    <>
      <Button icon="tick" onPress={() => setAsked(true)}>
        {words.allTold}
      </Button>
      <Confirm
        title={words.allToldTitle}
        verb={words.allTold}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={async () => toast(words.allAreTold((await tell.mutateAsync()).told))}
      >
        <p>{words.allToldAbout}</p>
        <Choice
          label={words.allToldHow}
          options={WAYS.map((id) => ({ id, label: words.ways[id] }))}
          value={how}
          onChange={setHow}
        />
      </Confirm>
    </>
  )
}
