import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange, useGet } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Section } from '../../parts/page.tsx'
import { Confirm } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

type Grant = Schemas['AssistantGrant']

const MOST = 100

/** The assistants that act in the person's name; nothing where there are none. */
export const Assistants = () => {
  const { account } = useWords()
  const format = useFormat()
  const { data } = useGet(['/me/grants'], (signal) =>
    answer(api.GET('/me/grants', { params: { query: { limit: MOST } }, signal })),
  )
  const [asked, setAsked] = useState<Grant>()
  const end = useChange('assistants', (id: string) =>
    answer(api.DELETE('/me/grants/{id}', { params: { path: { id } } })),
  )
  if (!data || data.data.length === 0) return null
  return (
    <Section title={account.assistants}>
      <ul className="card" aria-label={account.assistants}>
        {data.data.map((grant) => (
          <li key={grant.id}>
            <div className="row">
              <span className="grow">
                <bdi className="name">{grant.clientName}</bdi>
                <span className="about">
                  {account.assistantAbout(grant.tenantName, format.date(format.dateOf(grant.createdAt)))}
                </span>
              </span>
              <Button aria-label={account.assistantEndOf(grant.clientName)} onPress={() => setAsked(grant)}>
                {account.assistantEnd}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      <Confirm
        title={account.assistantEndTitle(asked?.clientName ?? '')}
        verb={account.assistantEnd}
        isOpen={asked !== undefined}
        onClose={() => setAsked(undefined)}
        onConfirm={async () => {
          if (!asked) return
          await end.mutateAsync(asked.id)
          toast(account.assistantEnded(asked.clientName))
        }}
      >
        <p>{account.assistantEndText}</p>
      </Confirm>
    </Section>
  )
}
