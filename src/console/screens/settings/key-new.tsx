import { useState } from 'react'
import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { Problem } from '../../api/problem.ts'
import { useChange } from '../../api/queries.ts'
import { Back } from '../../parts/back.tsx'
import { ButtonLink } from '../../parts/button.tsx'
import { Copied } from '../../parts/copied.tsx'
import { DateField } from '../../parts/date-field.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { instantOf } from '../../words/zone.ts'
import { addDays } from '../../../shared/dates.ts'
import { PermissionChecks } from './permission-checks.tsx'
import type { Role } from './reads.ts'

interface Typed {
  name: string
  permissions: Role['permissions']
  /** The last day on which it works; null: none is typed. */
  expiresAt: string | null
}

/** `/settings/keys/new`: asks what the key is for, and shows it once. */
export const Screen = () => {
  const { apiKeys: words } = useWords()
  const [made, setMade] = useState<Schemas['CreatedApiKey']>()
  return (
    <>
      <Back to="/settings/keys" label={words.title} />
      {made ? <Made made={made} /> : <New onMade={setMade} />}
    </>
  )
}

const New = ({ onMade }: { onMade: (made: Schemas['CreatedApiKey']) => void }) => {
  const { apiKeys: words, members, roles } = useWords()
  const format = useFormat()
  const make = useChange('apiKey', (body: Schemas['NewApiKey'], header) =>
    answer(api.POST('/api-keys', { body, params: { header } })),
  )
  const { name, permissions } = BOUNDS.NewApiKey
  const form = useForm<Typed>({
    start: { name: '', permissions: [], expiresAt: null },
    bounds: { name, permissions: { ...permissions, isRequired: true } },
    missing: { name: words.nameMissing, permissions: words.mayMissing },
    refusals: { permission_escalation: 'permissions' },
    rules: ({ expiresAt }) => ({ expiresAt: expiresAt !== null && expiresAt < format.today() && words.untilPast }),
    send: async (typed) => {
      const { expiresAt } = typed
      onMade(
        await make.mutateAsync({
          name: typed.name.trim(),
          kind: 'secret',
          permissions: typed.permissions,
          allowedOrigins: [],
          ...(expiresAt !== null && { expiresAt: instantOf(addDays(expiresAt, 1), '00:00', format.zone) }),
        }),
      )
    },
  })
  const { error, ...checks } = form.field('permissions')
  const lacking = form.problem instanceof Problem ? form.problem.details['permissions'] : undefined
  const names = ((lacking ?? []) as Typed['permissions']).map((one) => members.permissions[one])
  const { value, error: untilError } = form.field('expiresAt')
  return (
    <Page title={words.add} hasOwnFocus>
      <div className="narrow">
        <Form form={form} label={words.add} verb={words.add} hasRetry>
          <Field label={words.name} hint={words.nameHint} {...form.field('name')} autoFocus />
          <PermissionChecks
            label={words.may}
            hint={words.mayHint}
            {...checks}
            error={error !== undefined && names.length > 0 ? roles.notHeld(format.list(names)) : error}
          />
          <DateField
            label={words.until}
            hint={words.untilHint}
            isOptional
            value={value}
            onChange={(expiresAt) => form.set({ expiresAt })}
            {...(untilError !== undefined && { error: untilError })}
          />
        </Form>
      </div>
    </Page>
  )
}

const Made = ({ made: { name, key } }: { made: Schemas['CreatedApiKey'] }) => {
  const { apiKeys: words } = useWords()
  return (
    <Page title={words.made} about={<bdi>{name}</bdi>} isNext>
      <div className="narrow">
        <div className="card padded">
          <Copied label={words.key} hint={words.keyHint} text={key} />
          <Notice meaning="warn">
            <span className="grow">{words.keyLost}</span>
          </Notice>
          <ButtonLink look="primary" to="/settings/keys">
            {words.kept}
          </ButtonLink>
        </div>
      </div>
    </Page>
  )
}
