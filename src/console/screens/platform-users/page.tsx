import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange, usePages } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Choice } from '../../parts/choose.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Download } from '../../parts/download.tsx'
import { Filters } from '../../parts/filters.tsx'
import { MailAddress } from '../../parts/mail-address.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Badge } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { explain } from '../../parts/problem-notice.tsx'
import { Rows } from '../../parts/rows.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Confirm } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFilters } from '../../shell/filters.ts'
import { useWho } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { AddAdmin } from './add.tsx'
import { Reset } from './reset.tsx'

type User = Schemas['PlatformUser']

const SHOWN = ['everybody', 'admins', 'disabled'] as const
const EMAIL = /^\S+@\S+\.\S+$/

/** `/platform/users`: the accounts of the server. */
export const Screen = () => {
  const { users: words } = useWords().platformWork
  const [isAdding, setAdding] = useState(false)
  const { filters, set } = useFilters(['email', 'show'])
  const shown = SHOWN.find((known) => known === filters.show) ?? 'everybody'
  const query = {
    // Only a whole address finds anything.
    ...(filters.email && EMAIL.test(filters.email) && { email: filters.email }),
    ...(shown === 'disabled' && { status: 'disabled' as const }),
  }
  const isPlatformAdmin = shown === 'admins' ? { isPlatformAdmin: true } : {}
  const pages = usePages<User>(['/platform/users', query, shown], (cursor, signal) =>
    answer(
      api.GET('/platform/users', {
        params: { query: { ...query, ...isPlatformAdmin, limit: 50, ...(cursor && { cursor }) } },
        signal,
      }),
    ),
  )
  return (
    <Page
      title={words.title}
      about={words.about}
      actions={
        <>
          <Download
            path="/platform/users"
            query={{ ...query, ...(shown === 'admins' && { isPlatformAdmin: 'true' }) }}
          />
          <Button icon="plus" onPress={() => setAdding(true)}>
            {words.add}
          </Button>
        </>
      }
    >
      <Filters
        search={
          <SearchField label={words.search} value={filters.email ?? ''} onChange={(email) => set('email', email)} />
        }
        active={shown === 'everybody' ? 0 : 1}
      >
        <Choice
          label={words.show}
          options={SHOWN.map((id) => ({ id, label: words[id] }))}
          value={shown}
          onChange={(id) => set('show', id === 'everybody' ? '' : id)}
        />
      </Filters>
      <Rows pages={pages} label={words.title} keyOf={({ id }) => id} empty={<p>{words.none}</p>}>
        {(user) => <Row user={user} />}
      </Rows>
      {isAdding && <AddAdmin onClose={() => setAdding(false)} />}
    </Page>
  )
}

const Row = ({ user }: { user: User }) => {
  const { id, fullName, email, status, isPlatformAdmin, emailVerified, hasSecondFactor, createdAt } = user
  const all = useWords()
  const { users: words } = all.platformWork
  const format = useFormat()
  const me = useWho()
  const [asked, setAsked] = useState<'disable' | 'reset'>()
  const change = useChange('user', (body: Schemas['PlatformUserChanges']) =>
    answer(api.PATCH('/platform/users/{id}', { params: { path: { id } }, body })),
  )
  const name = fullName || email
  const isOwn = me.user.id === id
  return (
    <div className="row">
      <span className="grow">
        <span className="chips">
          <bdi className="name">{name}</bdi>
          {isPlatformAdmin && <Badge meaning="info">{words.admin}</Badge>}
          {status === 'disabled' && <Badge meaning="bad">{words.disabled}</Badge>}
        </span>
        <span className="about">
          <Dotted>
            <bdi dir="ltr">
              <MailAddress of={email} />
            </bdi>
            {!emailVerified && words.unconfirmed}
            {words.since(format.date(format.dateOf(createdAt)))}
            {isOwn && words.you}
          </Dotted>
        </span>
      </span>
      {!isOwn && (
        <Menu
          label={`${all.shell.more}: ${name}`}
          entries={[
            ...(hasSecondFactor ? [{ id: 'reset', label: all.factor.reset, onSelect: () => setAsked('reset') }] : []),
            status === 'active'
              ? { id: 'disable', label: words.disable, isDangerous: true, onSelect: () => setAsked('disable') }
              : {
                  id: 'enable',
                  label: words.enable,
                  onSelect: () =>
                    change.mutate(
                      { status: 'active' },
                      {
                        onSuccess: () => toast(words.enabledNow(name)),
                        onError: (error) => toast(explain(all, error)),
                      },
                    ),
                },
          ]}
        />
      )}
      <Confirm
        title={words.disableTitle(name)}
        verb={words.disable}
        isDangerous
        isOpen={asked === 'disable'}
        onClose={() => setAsked(undefined)}
        onConfirm={async () => {
          await change.mutateAsync({ status: 'disabled' })
          toast(words.disabledNow(name))
        }}
      >
        <p>{words.disableText}</p>
      </Confirm>
      {asked === 'reset' && <Reset id={id} name={name} onClose={() => setAsked(undefined)} />}
    </div>
  )
}
