import { useState } from 'react'
import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { readAll, useChange, useGet } from '../../api/queries.ts'
import { Back } from '../../parts/back.tsx'
import { ButtonLink } from '../../parts/button.tsx'
import { Choice } from '../../parts/choose.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, numberOf, useForm } from '../../parts/form.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Badge, Empty, type Meaning } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { Confirm, Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { Told } from '../../parts/told.tsx'
import { useFilters } from '../../shell/filters.ts'
import { useFormat, useWords } from '../../words/language.tsx'

type Key = Schemas['ApiKey']
type State = 'works' | 'expired' | 'revoked'

const MEANINGS: Readonly<Record<State, Meaning>> = { works: 'good', expired: 'warn', revoked: 'bad' }

const stateOf = ({ revokedAt, expiresAt }: Key): State => {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'works'
}

const MOST = 100

/** `/settings/keys`: the keys by which programs on other servers get in. Those of websites stand with their form. */
export const Screen = () => {
  const { apiKeys: words, settings } = useWords()
  const { filters, set } = useFilters(['ended'])
  const hasEnded = filters.ended !== undefined
  const keys = useGet(['/api-keys', 'secret'], (signal) =>
    readAll((cursor) =>
      answer(api.GET('/api-keys', { params: { query: { limit: MOST, ...(cursor && { cursor }) } }, signal })),
    ),
  )
  return (
    <>
      <Back to="/settings" label={settings.title} />
      <Page
        title={words.title}
        about={words.about}
        actions={
          <ButtonLink look="primary" icon="plus" to="/settings/keys/new">
            {words.add}
          </ButtonLink>
        }
      >
        <div className="narrow">
          <div className="filters">
            <Choice
              label={words.shown}
              isLabelUnseen
              options={[
                { id: 'live', label: words.live },
                { id: 'ended', label: words.ended },
              ]}
              value={hasEnded ? 'ended' : 'live'}
              onChange={(id) => set('ended', id === 'ended' ? '1' : '')}
            />
          </div>
          <Loaded query={keys}>
            {(all) => {
              const shown = all.filter((key) => key.kind === 'secret' && (stateOf(key) !== 'works') === hasEnded)
              return (
                <div className="card">
                  {shown.length === 0 ? (
                    <Empty>{hasEnded ? words.noneEver : words.none}</Empty>
                  ) : (
                    <ul aria-label={words.title}>
                      {shown.map((key) => (
                        <li key={key.id}>
                          <Row shown={key} />
                        </li>
                      ))}
                    </ul>
                  )}
                </div>
              )
            }}
          </Loaded>
        </div>
      </Page>
    </>
  )
}

const Row = ({ shown: key }: { shown: Key }) => {
  const { apiKeys: words, members } = useWords()
  const format = useFormat()
  const [asked, setAsked] = useState<'limit' | 'end'>()
  const close = () => setAsked(undefined)
  const state = stateOf(key)
  const { id, name, keyPrefix, permissions, lastUsedAt, expiresAt, effectiveRateLimitPerMin: limit } = key
  const end = useChange('apiKey', () => answer(api.DELETE('/api-keys/{id}', { params: { path: { id } } })))
  return (
    <div className="row">
      <span className="grow">
        <span className="chips">
          <bdi className="name">{name}</bdi>
          <Badge meaning={MEANINGS[state]}>{words.state[state]}</Badge>
        </span>
        <span className="about">
          <Dotted>
            <Told>{words.begins(keyPrefix)}</Told>
            {lastUsedAt === null ? words.neverUsed : words.lastUsed(format.moment(lastUsedAt))}
            {expiresAt !== null && words.expires(format.moment(expiresAt))}
            {state === 'works' && words.limit(format.number(limit))}
          </Dotted>
        </span>
        <span className="about">
          {permissions.length === 0
            ? words.mayNothing
            : format.commas(permissions.map((one) => members.permissions[one]))}
        </span>
      </span>
      {state === 'works' && (
        <Menu
          label={words.moreOf(name)}
          entries={[
            { id: 'limit', label: words.changeLimit, onSelect: () => setAsked('limit') },
            { id: 'end', label: words.end, isDangerous: true, onSelect: () => setAsked('end') },
          ]}
        />
      )}
      {asked === 'limit' && <Limit of={key} onClose={close} />}
      <Confirm
        title={words.endTitle(name)}
        verb={words.end}
        isDangerous
        isOpen={asked === 'end'}
        onClose={close}
        onConfirm={async () => {
          await end.mutateAsync(undefined)
          toast(words.endDone(name))
        }}
      >
        <p>{words.endText}</p>
      </Confirm>
    </div>
  )
}

const Limit = ({ of: { id, name, rateLimitPerMin }, onClose }: { of: Key; onClose: () => void }) => {
  const { apiKeys: words } = useWords()
  const save = useChange('apiKey', (body: Schemas['ApiKeyChanges']) =>
    answer(api.PATCH('/api-keys/{id}', { params: { path: { id } }, body })),
  )
  const { rateLimitPerMin: bound } = BOUNDS.ApiKeyChanges
  const form = useForm({
    start: { rateLimitPerMin: rateLimitPerMin === null ? '' : String(rateLimitPerMin) },
    // Nothing is a value too.
    bounds: { rateLimitPerMin: { ...bound, isRequired: false } },
    wrong: { rateLimitPerMin: words.limitWrong },
    refused: { rateLimitPerMin: words.limitWrong },
    send: async (typed) => {
      await save.mutateAsync({ rateLimitPerMin: numberOf(typed.rateLimitPerMin) })
      toast(words.limitSaved(name))
      onClose()
    },
  })
  return (
    <Sheet title={words.changeLimit} isOpen onClose={onClose}>
      <Form form={form} onCancel={onClose}>
        <Field
          label={words.limitLabel}
          hint={words.limitHint}
          isOptional
          inputMode="numeric"
          isLtr
          {...form.field('rateLimitPerMin')}
          autoFocus
        />
      </Form>
    </Sheet>
  )
}
