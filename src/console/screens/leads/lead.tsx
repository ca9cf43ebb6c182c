import { useParams } from 'wouter'
import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange, useGet } from '../../api/queries.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Facts } from '../../parts/facts.tsx'
import { LongField } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Menu, type MenuEntry } from '../../parts/menu.tsx'
import { Badge, Notice } from '../../parts/notice.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Phone } from '../../parts/person.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { OWN_NAMES } from '../../words/locale.ts'
import { useCourse } from '../../records/course/reads.ts'
import { readLead } from '../../records/lead/reads.ts'

type Lead = Schemas['Lead']

const MEANINGS = { new: 'info', contacted: 'warn', converted: 'good', lost: undefined } as const

export const Screen = () => {
  const { id = '' } = useParams()
  const lead = useGet(['/leads', id], (signal) => readLead(id, signal))
  return <Loaded query={lead}>{(data) => <OneLead key={data.id} lead={data} />}</Loaded>
}

const OneLead = ({ lead }: { lead: Lead }) => {
  const { leads: words, shell } = useWords()
  const format = useFormat()
  const { can } = useMe()
  const path = { id: lead.id }
  const name = `${lead.firstName} ${lead.lastName}`
  const move = useChange('lead', (status: Lead['status']) =>
    answer(api.PATCH('/leads/{id}', { params: { path }, body: { status } })),
  )
  const moveTo = (status: Lead['status']) => {
    const former = lead.status
    const undo = () => move.mutate(former)
    move.mutate(status, { onSuccess: () => toast(words.moved(name, words.stateOf[status]), undo) })
  }
  const isOpen = lead.status === 'new' || lead.status === 'contacted'
  const more: MenuEntry[] = [
    ...(lead.status === 'lost' || lead.status === 'contacted'
      ? [{ id: 'reopen', label: words.reopen, onSelect: () => moveTo('new') }]
      : []),
    ...(isOpen ? [{ id: 'lost', label: words.lost, onSelect: () => moveTo('lost') }] : []),
  ]
  const when = format.moment(lead.createdAt)
  return (
    <Page
      title={<bdi>{name}</bdi>}
      name={name}
      about={
        <span className="actions">
          <Badge meaning={MEANINGS[lead.status]}>{words.stateOf[lead.status]}</Badge>
          {words.came[lead.source](when)}
        </span>
      }
      actions={
        can('leads.write') && (
          <>
            {more.length > 0 && <Menu label={shell.more} entries={more} />}
            {lead.status === 'new' && <Button onPress={() => moveTo('contacted')}>{words.spoken}</Button>}
            {lead.status === 'converted'
              ? lead.studentId !== null && <ButtonLink to={`/students/${lead.studentId}`}>{words.toStudent}</ButtonLink>
              : can('students.write') && (
                  <ButtonLink to={`/register?lead=${lead.id}`} look="primary">
                    {words.convert}
                  </ButtonLink>
                )}
          </>
        )
      }
    >
      {move.error && <ProblemNotice problem={move.error} />}
      <Contact lead={lead} />
      <Wish lead={lead} />
      <Note lead={lead} mayWrite={can('leads.write')} />
    </Page>
  )
}

const Contact = ({ lead: { phone, email, guardian, locale, status, guardianNameDiffers } }: { lead: Lead }) => {
  const { leads: words, people } = useWords()
  const reached = [
    { phone, email },
    ...(guardian ? [{ name: `${guardian.firstName} ${guardian.lastName}`, ...guardian }] : []),
  ]
  return (
    <Section title={words.contact}>
      {guardianNameDiffers && status !== 'converted' && (
        <Notice meaning="warn">
          <span className="grow">{words.otherName}</span>
        </Notice>
      )}
      <ul className="card">
        {reached.map((one, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- the person, then the guardian
          <li key={at}>
            <div className="row">
              <span className="grow">
                {'name' in one && <span className="name">{words.guardianOf(one.name)}</span>}
                {one.email !== null && (
                  <a className="about ltr-text" href={`mailto:${one.email}`}>
                    {one.email}
                  </a>
                )}
                {!('name' in one) && <span className="about">{`${people.language}: ${OWN_NAMES[locale]}`}</span>}
              </span>
              {one.phone !== null && <Phone number={one.phone} />}
            </div>
          </li>
        ))}
      </ul>
    </Section>
  )
}

const Wish = ({ lead: { courseId, courseInterest, message } }: { lead: Lead }) => {
  const { leads: words } = useWords()
  const course = useCourse(courseId)
  const asked = course.data?.name ?? courseInterest
  return (
    <Section title={words.wish}>
      {asked === null && message === null ? (
        <div className="card">
          <p className="row soft">{words.nothingAsked}</p>
        </div>
      ) : (
        <Facts>
          {asked !== null && (
            <>
              <dt>{words.course}</dt>
              <dd dir="auto">{asked}</dd>
            </>
          )}
          {message !== null && (
            <>
              <dt>{words.message}</dt>
              <dd dir="auto" className="written">
                {message}
              </dd>
            </>
          )}
        </Facts>
      )}
    </Section>
  )
}

const Note = ({ lead, mayWrite }: { lead: Lead; mayWrite: boolean }) => {
  const { leads: words } = useWords()
  const save = useChange('lead', (text: string) =>
    answer(api.PATCH('/leads/{id}', { params: { path: { id: lead.id } }, body: { note: text.trim() || null } })),
  )
  const form = useForm({
    start: { note: lead.note ?? '' },
    bounds: BOUNDS.LeadChanges,
    send: async ({ note }) => {
      await save.mutateAsync(note)
      toast(words.noteSaved)
    },
  })
  if (!mayWrite) {
    return lead.note === null ? null : (
      <Section title={words.note}>
        <p className="card padded written" dir="auto">
          {lead.note}
        </p>
      </Section>
    )
  }
  const isChanged = form.typed.note.trim() !== (lead.note ?? '')
  return (
    <section className="section">
      <Form
        form={form}
        footer={
          isChanged && (
            <Button type="submit" isBusy={form.isBusy}>
              {words.saveNote}
            </Button>
          )
        }
      >
        <LongField label={words.note} hint={words.noteHint} {...form.field('note')} />
      </Form>
    </section>
  )
}
