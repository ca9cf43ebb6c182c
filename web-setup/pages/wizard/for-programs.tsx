import { useEffect, useRef, useState } from 'react'
import { BOUNDS } from '../../../src/console/api/bounds.ts'
import { answer, api } from '../../../src/console/api/client.ts'
import { useIntents } from '../../../src/console/api/intents/use-intents.ts'
import { Problem } from '../../../src/console/api/problem.ts'
import { Field } from '../../../src/console/parts/field.tsx'
import { useForm } from '../../../src/console/parts/form.tsx'
import { Notice } from '../../../src/console/parts/notice.tsx'
import { announce } from '../../parts/announce.ts'
import { Cards } from '../../parts/cards.tsx'
import { Copyable } from '../../parts/copyable.tsx'
import { useOwnWords } from '../../parts/own-words.ts'
import { Told } from '../../../src/console/parts/told.tsx'
import { ToldForm } from '../../parts/told-form.tsx'

/** What programmers need: the address of the API, a first key, an example, the reference. */
export const ForPrograms = ({ baseUrl }: { baseUrl: string }) => {
  const { done: words } = useOwnWords('wizardSteps')
  const { copy, openDocs } = useOwnWords('wizard')
  const [key, setKey] = useState<string>()
  return (
    <details id="for-programs" className="card padded" aria-label={words.programs}>
      <summary>{words.programs}</summary>
      <h3>{words.api}</h3>
      <p>{words.apiText}</p>
      <Copyable id="api-address" text={`${baseUrl}/api/v1`} label={copy.api} />
      <h3>{words.key}</h3>
      <p>{words.keyText}</p>
      {key === undefined ? <KeyForm onCreated={setKey} /> : <NewKey value={key} />}
      <h3>{words.try}</h3>
      <p>{words.tryText}</p>
      <Copyable
        id="example"
        text={`curl -H "Authorization: Bearer ${key ?? 'YOUR_KEY'}" ${baseUrl}/api/v1/branches`}
        label={copy.request}
      />
      {key === undefined && (
        <p className="small">
          <Told>{words.tryKey}</Told>
        </p>
      )}
      <h3>{words.docs}</h3>
      <p>{words.docsText}</p>
      <p>
        <a className="button" href="/docs" target="_blank" rel="noopener">
          {openDocs}
        </a>
      </p>
    </details>
  )
}

const KeyForm = ({ onCreated }: { onCreated: (key: string) => void }) => {
  const { done: words } = useOwnWords('wizardSteps')
  const intents = useIntents()
  const [isEnded, setEnded] = useState(false)
  const form = useForm<{ name: string; scope: 'read' | 'full' }>({
    start: { name: words.keyNameExample, scope: 'read' },
    bounds: { name: BOUNDS.NewApiKey.name },
    missing: words.keyNameMissing,
    send: async ({ name, scope }) => {
      try {
        const { permissions: all } = await answer(api.GET('/auth/me'))
        const permissions = scope === 'read' ? all.filter((one) => one.endsWith('.read')) : all
        const body = { name: name.trim(), permissions }
        const { key } = await intents.once(body, (header) =>
          answer(api.POST('/api-keys', { params: { header }, body: body as never })),
        )
        announce(words.keyOnce)
        onCreated(key)
      } catch (error) {
        if (!(error instanceof Problem) || error.status !== 401) throw error
        setEnded(true)
      }
    },
  })
  return (
    <ToldForm form={form} verb={form.isBusy ? words.keyCreating : words.keyCreate}>
      <Field id="key-name" label={words.keyName} {...form.field('name')} />
      <Cards
        label={words.keyScope}
        options={[
          { id: 'read', label: words.keyRead, about: words.keyReadHint },
          { id: 'full', label: words.keyFull, about: words.keyFullHint },
        ]}
        value={form.typed.scope}
        onChange={(scope) => form.set({ scope })}
      />
      {isEnded && (
        <Notice meaning="bad" isAlert>
          <span className="grow">{words.sessionEnded}</span>
        </Notice>
      )}
    </ToldForm>
  )
}

/** It is shown this once. */
const NewKey = ({ value }: { value: string }) => {
  const { done: words } = useOwnWords('wizardSteps')
  const { copy } = useOwnWords('wizard')
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.focus(), [])
  return (
    <div ref={place} id="key-result" role="group" aria-label={words.keyValue} tabIndex={-1}>
      <Notice meaning="warn">
        <span className="grow">{words.keyOnce}</span>
      </Notice>
      <Copyable id="key-value" text={value} label={copy.key} />
    </div>
  )
}
