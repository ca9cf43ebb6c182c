import { useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Menu, type MenuEntry } from '../../parts/menu.tsx'
import { Badge } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { explain } from '../../parts/problem-notice.tsx'
import { Confirm } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import { Back } from '../../parts/back.tsx'
import { PhoneNumber } from '../../parts/phone.tsx'
import { BranchForm } from './branch-form.tsx'
import { useBranches } from '../../shell/branches.ts'

type Branch = Schemas['Branch']

/** A branch that is open in the form; new: it is to be opened. */
type Open = Branch | 'new' | undefined

/** The places of the institute. */
export const Screen = () => {
  const { branches: words, settings } = useWords()
  const all = useBranches()
  const [open, setOpen] = useState<Open>()
  return (
    <>
      <Back to="/settings" label={settings.title} />
      <Page
        title={words.title}
        about={words.about}
        actions={
          <Button look="primary" icon="plus" onPress={() => setOpen('new')}>
            {words.add}
          </Button>
        }
      >
        <Loaded query={all}>
          {(data) => (
            <ul className="card" aria-label={words.title}>
              {data.map((branch) => (
                <li key={branch.id}>
                  <BranchRow branch={branch} onOpen={() => setOpen(branch)} />
                </li>
              ))}
            </ul>
          )}
        </Loaded>
        {open !== undefined && (
          <BranchForm branch={open === 'new' ? undefined : open} onClose={() => setOpen(undefined)} />
        )}
      </Page>
    </>
  )
}

const BranchRow = ({ branch, onOpen }: { branch: Branch; onOpen: () => void }) => {
  const all = useWords()
  const { branches: words, shell } = all
  const [isAsked, setAsked] = useState<'close' | 'remove'>()
  const [last, setLast] = useState<'close' | 'remove'>('close')
  if (isAsked !== undefined && isAsked !== last) setLast(isAsked)
  const { id, name, phone, isDefault, isActive } = branch
  const path = { id }
  const change = useChange('branch', (body: Schemas['BranchChanges']) =>
    answer(api.PATCH('/branches/{id}', { params: { path }, body })),
  )
  const remove = useChange('branch', () => answer(api.DELETE('/branches/{id}', { params: { path } })))
  const set = (body: Schemas['BranchChanges'], done: string) =>
    change.mutate(body, { onSuccess: () => toast(done), onError: (error) => toast(explain(all, error)) })
  const entries: MenuEntry[] = [
    { id: 'edit', label: shell.edit, onSelect: onOpen },
    ...(isDefault
      ? []
      : [
          {
            id: 'default',
            label: words.makeDefault,
            onSelect: () => set({ isDefault: true }, words.defaultDone(name)),
          },
          isActive
            ? { id: 'close', label: words.close, isDangerous: true, onSelect: () => setAsked('close') }
            : { id: 'reopen', label: words.reopen, onSelect: () => set({ isActive: true }, words.reopened(name)) },
          { id: 'remove', label: words.remove, isDangerous: true, onSelect: () => setAsked('remove') },
        ]),
  ]
  const question = words.asks[last]
  return (
    <div className="row">
      <AriaButton className="grow plain-button" onPress={onOpen}>
        <bdi className="name">{name}</bdi>
        <span className="about">
          <Dotted>
            {addressLine(branch)}
            {phone !== null && <PhoneNumber number={phone} />}
            {addressLine(branch) === undefined && phone === null && words.nothingKnown}
          </Dotted>
        </span>
      </AriaButton>
      {isDefault && <Badge meaning="info">{words.isDefault}</Badge>}
      {!isActive && <Badge>{words.closed}</Badge>}
      <Menu label={words.moreOf(name)} entries={entries} />
      <Confirm
        title={question.title(name)}
        verb={question.verb}
        isDangerous
        isOpen={isAsked !== undefined}
        onClose={() => setAsked(undefined)}
        onConfirm={async () => {
          await (last === 'close' ? change.mutateAsync({ isActive: false }) : remove.mutateAsync(undefined))
          toast(question.done(name))
        }}
      >
        <p>{question.text}</p>
      </Confirm>
    </div>
  )
}

/** The address in one line; undefined: none is known. */
const addressLine = ({ address }: Branch): string | undefined =>
  [address?.line1, address?.line2, address?.city].filter(Boolean).join(', ') || undefined
