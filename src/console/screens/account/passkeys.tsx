import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { knowsPasskeys } from '../../api/passkey-known.ts'
import { useChange, useGet } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Section } from '../../parts/page.tsx'
import { Confirm, Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import type { Words } from '../../words/words.ts'
import { AddPasskey } from './add-passkey.tsx'

type Passkey = Schemas['Passkey']

/** Why none can be made here and now; undefined: nothing is in the way. */
export const obstacleOf = (
  { factor: words }: Words,
  { obstacle, address }: Pick<Schemas['Passkeys'], 'obstacle' | 'address'>,
): string | undefined => {
  if (obstacle !== null) return words.obstacles[obstacle]
  if (location.origin !== address) return words.notHere(address)
  return knowsPasskeys() ? undefined : words.tooOld
}

export const usePasskeys = () => useGet(['/me/passkeys'], (signal) => answer(api.GET('/me/passkeys', { signal })))

/** The passkeys of the account: added, named, removed. Where the address of the server allows none, it says why. */
export const Passkeys = () => {
  const all = useWords()
  const { factor: words } = all
  const query = usePasskeys()
  const [act, setAct] = useState<{ what: 'add' } | { what: 'rename' | 'remove'; passkey: Passkey }>()
  const close = () => setAct(undefined)
  return (
    <Section title={words.passkeys}>
      <Loaded query={query}>
        {(state) => {
          const obstacle = obstacleOf(all, state)
          return (
            <div className="card">
              <div className="padded">
                <p className="small spaced">{words.passkeysAbout}</p>
                {obstacle === undefined ? (
                  <div className="actions">
                    <Button onPress={() => setAct({ what: 'add' })}>{words.addPasskey}</Button>
                  </div>
                ) : (
                  <p className="small">{obstacle}</p>
                )}
              </div>
              {state.passkeys.length > 0 && (
                <ul aria-label={words.passkeys}>
                  {state.passkeys.map((passkey) => (
                    <li key={passkey.id}>
                      <Row passkey={passkey} ask={(what) => setAct({ what, passkey })} />
                    </li>
                  ))}
                </ul>
              )}
            </div>
          )
        }}
      </Loaded>
      {act?.what === 'add' && (
        <Sheet title={words.addPasskey} isOpen onClose={close}>
          <AddPasskey onCancel={close} onDone={close} />
        </Sheet>
      )}
      {act?.what === 'rename' && <Rename passkey={act.passkey} onClose={close} />}
      <Remove passkey={act?.what === 'remove' ? act.passkey : undefined} onClose={close} />
    </Section>
  )
}

const Row = ({ passkey, ask }: { passkey: Passkey; ask: (what: 'rename' | 'remove') => void }) => {
  const { factor: words } = useWords()
  const format = useFormat()
  const { name, createdAt, lastUsedAt, isSynced } = passkey
  const used = lastUsedAt === null ? undefined : format.moment(lastUsedAt)
  return (
    <div className="row">
      <span className="grow">
        <bdi className="name">{name}</bdi>
        <span className="about">
          <Dotted>
            <span>{words.passkeyAbout(format.date(format.dateOf(createdAt)), used)}</span>
            {isSynced && <span>{words.synced}</span>}
          </Dotted>
        </span>
      </span>
      <Menu
        label={words.moreOf(name)}
        entries={[
          { id: 'rename', label: words.rename, onSelect: () => ask('rename') },
          { id: 'remove', label: words.remove, isDangerous: true, onSelect: () => ask('remove') },
        ]}
      />
    </div>
  )
}

const Rename = ({ passkey: { id, name: former }, onClose }: { passkey: Passkey; onClose: () => void }) => {
  const { factor: words } = useWords()
  const change = useChange('factor', (name: string) =>
    answer(api.PATCH('/me/passkeys/{id}', { params: { path: { id } }, body: { name } })),
  )
  const form = useForm({
    start: { name: former },
    rules: ({ name }) => ({ name: name.trim() === '' && words.passkeyNameMissing }),
    send: async ({ name }) => {
      await change.mutateAsync(name.trim())
      toast(words.renamed(name.trim()))
      onClose()
    },
  })
  return (
    <Sheet title={words.rename} isOpen onClose={onClose}>
      <Form form={form} onCancel={onClose}>
        <Field label={words.passkeyName} maxLength={100} autoFocus {...form.field('name')} />
      </Form>
    </Sheet>
  )
}

const Remove = ({ passkey, onClose }: { passkey: Passkey | undefined; onClose: () => void }) => {
  const { factor: words } = useWords()
  const remove = useChange('factor', (id: string) =>
    answer(api.DELETE('/me/passkeys/{id}', { params: { path: { id } } })),
  )
  return (
    <Confirm
      title={words.removeTitle(passkey?.name ?? '')}
      verb={words.remove}
      isDangerous
      isOpen={passkey !== undefined}
      onClose={onClose}
      onConfirm={async () => {
        if (!passkey) return
        await remove.mutateAsync(passkey.id)
        toast(words.removed(passkey.name))
      }}
    >
      <p>{words.removeText}</p>
    </Confirm>
  )
}
