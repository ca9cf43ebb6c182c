import { Link, useLocation, useParams } from 'wouter'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange, useGet } from '../../api/queries.ts'
import { Back } from '../../parts/back.tsx'
import { FixedFacts } from '../../parts/facts.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { toast } from '../../parts/toast.tsx'
import { PersonData } from '../../records/person/data.tsx'
import { ErasedPerson } from '../../records/person/erased.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

type Erasure = Schemas['Erasure']
type Kind = 'students' | 'guardians'

interface Person {
  kind: Kind
  id: string
}

export const StudentScreen = () => <Erase kind="students" id={useParams<{ id: string }>().id} />
export const GuardianScreen = () => <Erase kind="guardians" id={useParams<{ id: string }>().id} />

const readErasure = ({ kind, id }: Person, signal: AbortSignal): Promise<Erasure> => {
  const params = { path: { id } }
  return answer(
    kind === 'students'
      ? api.GET('/students/{id}/erasure', { params, signal })
      : api.GET('/guardians/{id}/erasure', { params, signal }),
  )
}

/** What goes, what stays and what stands in the way, before anything is done. */
const Erase = (person: Person) => {
  const { erasure: words } = useWords()
  const { kind, id } = person
  const plan = useGet([`/${kind}`, id, 'erasure'], (signal) => readErasure(person, signal))
  const of = `/${kind}/${id}`
  const name = plan.data?.name
  if (plan.data && plan.data.erasedAt !== null) {
    return <ErasedPerson of={of} name={plan.data.name} erasedAt={plan.data.erasedAt} />
  }
  return (
    <>
      {name !== undefined && <Back to={of} label={name} />}
      <Page
        title={name === undefined ? words.erase : words.title(name)}
        about={words.about}
        actions={name !== undefined && <PersonData path={`${of}/data`} name={name} />}
      >
        <Loaded query={plan}>{(erasure) => <Plan person={person} erasure={erasure} />}</Loaded>
      </Page>
    </>
  )
}

const Plan = ({ person, erasure }: { person: Person; erasure: Erasure }) => {
  const { erasure: words } = useWords()
  const format = useFormat()
  const { against, goes, stays, papers, account } = erasure
  return (
    <div className="narrow">
      {against.length > 0 && <Against person={person} against={against} />}
      <Section title={words.goes}>
        <p className="spaced">{words.details}</p>
        {account !== 'none' && <p className="spaced">{words.account[account]}</p>}
        {goes.length > 0 && (
          <FixedFacts rows={goes.map(({ what, count }) => [words.goesToo[what], format.number(count)] as const)} />
        )}
      </Section>
      {stays.length > 0 && (
        <Section title={words.stays}>
          <FixedFacts rows={stays.map(({ what, count }) => [words.staying[what], format.number(count)] as const)} />
        </Section>
      )}
      <Section title={words.papers}>
        {papers.length === 0 ? (
          <p>{words.noPapers}</p>
        ) : (
          <>
            <p className="spaced">{words.papersWhy}</p>
            <FixedFacts rows={papers.map(({ what, count }) => [words.paper[what], format.number(count)] as const)} />
          </>
        )}
      </Section>
      <Section title={words.besides}>
        <ul className="bullets one-column spaced">
          {words.know.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </Section>
      {against.length === 0 && <Ask person={person} name={erasure.name} />}
    </div>
  )
}

/** Where an office sees to it. */
const placeOf = ({ kind, id }: Person, reason: Erasure['against'][number]['reason']): string => {
  const of = `/${kind}/${id}`
  if (reason === 'debt') return `/pay${of}`
  if (reason === 'cheque') return kind === 'guardians' ? `/cheques?guardian=${id}` : '/cheques'
  if (reason === 'draft') return kind === 'students' ? `/invoices?status=draft&student=${id}` : '/invoices?status=draft'
  if (reason === 'credit' || reason === 'online_payment') return `${of}/account`
  return of
}

const Against = ({ person, against }: { person: Person; against: Erasure['against'] }) => {
  const { erasure: words } = useWords()
  return (
    <Section title={words.against}>
      <div className="notices">
        {against.map(({ reason, count }) => (
          <Notice key={reason} meaning="warn">
            <span className="grow">{words.reasons[reason](count)}</span>
            <Link href={placeOf(person, reason)}>{words.see}</Link>
          </Notice>
        ))}
      </div>
    </Section>
  )
}

const sameName = (one: string, other: string): boolean =>
  one.trim().replaceAll(/\s+/g, ' ') === other.trim().replaceAll(/\s+/g, ' ')

const Ask = ({ person: { kind, id }, name }: { person: Person; name: string }) => {
  const { erasure: words } = useWords()
  const [, go] = useLocation()
  const erase = useChange('erasure', (_: void, header) => {
    const params = { path: { id }, header }
    return answer(
      kind === 'students'
        ? api.POST('/students/{id}/erase', { params })
        : api.POST('/guardians/{id}/erase', { params }),
    )
  })
  const form = useForm({
    start: { name: '' },
    rules: (typed) => ({ name: !sameName(typed.name, name) && words.otherName }),
    send: async () => {
      await erase.mutateAsync()
      toast(words.done)
      go(`/${kind}/${id}`)
    },
  })
  return (
    <Section title={words.verb}>
      <p className="spaced">{words.dataFirst}</p>
      <Form form={form} verb={words.verb} look="danger">
        <Field label={words.typeName(name)} {...form.field('name')} />
      </Form>
    </Section>
  )
}
