import { useState } from 'react'
import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { Problem } from '../../api/problem.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useLanName } from './reads.ts'

type ServerLanName = Schemas['ServerLanName']

/** The name by which the local network finds the server, and another one that its owner chooses. */
export const LanName = () => {
  const { lanName: words } = useWords()
  const lanName = useLanName()
  const [isOpen, setOpen] = useState(false)
  if (lanName.data?.isPossible === false) return null
  return (
    <div className="not-printed">
      <Section
        title={words.title}
        actions={
          lanName.data?.isFixed === false && (
            <Button look="quiet" onPress={() => setOpen(true)}>
              {words.choose}
            </Button>
          )
        }
      >
        <Loaded query={lanName}>
          {(data) => (
            <>
              <Now lanName={data} />
              {isOpen && <NameForm lanName={data} onClose={() => setOpen(false)} />}
            </>
          )}
        </Loaded>
      </Section>
    </div>
  )
}

const Now = ({ lanName: { name, wanted, isFixed, former } }: { lanName: ServerLanName }) => {
  const { lanName: words } = useWords()
  const format = useFormat()
  return (
    <>
      {name !== null && wanted !== null && name !== wanted && (
        <div className="notices">
          <Notice meaning="info">
            <span className="grow">{words.otherHas(wanted, name)}</span>
          </Notice>
        </div>
      )}
      <ul className="card" aria-label={words.title}>
        <li className="row">
          <span className="grow">
            {(name ?? wanted) !== null && <bdi className="name ltr">{name ?? wanted}</bdi>}
            <span className="about">{name !== null ? words.found : wanted === null ? words.none : words.notYet}</span>
          </span>
        </li>
        {former.map((one) => (
          <li key={one.name} className="row">
            <span className="grow">
              <bdi className="name ltr">{one.name}</bdi>
              <span className="about">{words.former(format.date(one.until))}</span>
            </span>
          </li>
        ))}
      </ul>
      {isFixed && <p className="soft below">{words.fixed}</p>}
    </>
  )
}

/** The name that the server proposes in place of one that somebody else has; undefined: none. */
const proposalOf = (problem: unknown): string | undefined => {
  if (!(problem instanceof Problem) || problem.reason !== 'lan_name_taken') return undefined
  const { free } = problem.details as { free: string | null }
  return free ?? undefined
}

const NameForm = ({ lanName, onClose }: { lanName: ServerLanName; onClose: () => void }) => {
  const { lanName: words } = useWords()
  const save = useChange('lanName', (name: string) => answer(api.PUT('/server/lan-name', { body: { name } })))
  const form = useForm({
    start: { name: (lanName.wanted ?? '').replace(/\.local$/, '') },
    bounds: BOUNDS.ServerLanNameChoice,
    refusals: { lan_name_taken: 'name' },
    refused: { name: ({ reason }) => (reason === 'lan_name_taken' ? words.taken : words.wrong) },
    send: async ({ name }, proposed) => {
      const after = await save.mutateAsync(proposed ?? name.trim())
      toast(words.done(after.name ?? ''))
      onClose()
    },
  })
  const free = proposalOf(form.problem)
  return (
    <Sheet title={words.choose} isOpen onClose={onClose}>
      <Form form={form} verb={words.take} onCancel={onClose}>
        <Field label={words.name} hint={words.hint} isLtr autoFocus {...form.field('name')} />
        {free !== undefined && (
          <p className="spaced">
            <Button isBusy={form.isBusy} onPress={() => form.submit(free)}>
              {words.takeFree(free)}
            </Button>
          </p>
        )}
        <p className="small spaced">{words.former30}</p>
        <p className="small spaced">{words.follows}</p>
        <p className="small">{words.anew}</p>
        {form.isBusy && (
          <p className="small" role="status">
            {words.asking}
          </p>
        )}
      </Form>
    </Sheet>
  )
}
