import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { answer, api } from '../../api/client.ts'
import { registrations } from '../../api/intents/registrations.ts'
import { useGet } from '../../api/queries.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Form } from '../../parts/field.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useFilters } from '../../shell/filters.ts'
import { useMe } from '../../shell/me.tsx'
import { draftOf, forgetDraft, useDraft, type Draft } from './draft.ts'
import { GroupPart } from './group.tsx'
import { GuardianPart } from './guardian.tsx'
import { InvoicePart } from './invoice.tsx'
import { Done, SavingNotice } from './outcome.tsx'
import { StudentPart } from './student.tsx'
import { invoicesOf, isOf, useRehearsal } from './rehearsal.ts'
import { bodyOf, isOffered, type Beginning, type Typed } from './typed.ts'
import { useFaults } from './use-faults.ts'

type Start = Pick<Beginning, 'lead' | 'guardian' | 'relationship'>

/**
 * Registers a student; `?lead=` begins with an enquiry, `?guardian=` with a guardian who is known, and `&relation=` says what
 * they are to the student.
 */
export const Screen = () => {
  const { register: words } = useWords()
  const { filters } = useFilters(['lead', 'guardian', 'relation'])
  const { lead: leadId, guardian: guardianId, relation } = filters
  const start = useGet<Start>(['/leads', 'register', leadId, guardianId], async (signal) => {
    if (leadId) return { lead: await answer(api.GET('/leads/{id}', { params: { path: { id: leadId } }, signal })) }
    if (!guardianId) return {}
    return { guardian: await answer(api.GET('/guardians/{id}', { params: { path: { id: guardianId } }, signal })) }
  })
  const key = `${leadId ?? ''} ${guardianId ?? ''}`
  const relationship = relation !== undefined && isOffered(relation) ? relation : null
  if (start.data) return <Beginnings key={key} name={key} start={{ ...start.data, relationship }} />
  return (
    <Page title={words.title}>
      <Loaded query={start}>{() => null}</Loaded>
    </Page>
  )
}

/** Whose brother or sister comes next. */
interface Sibling {
  guardianId: string
  relationship: Typed['relationship']
}

const addressOf = ({ guardianId, relationship }: Sibling): string =>
  `/register?guardian=${guardianId}${relationship === null ? '' : `&relation=${relationship}`}`

/** Each registration after the first begins anew. */
const Beginnings = ({ name, start }: { name: string; start: Start }) => {
  const { institute, branches, branchId, can } = useMe()
  const [, go] = useLocation()
  const beginning: Beginning = {
    ...start,
    locale: institute.defaultLocale,
    mayHaveGuardian: can('guardians.write'),
    branchId: start.lead
      ? null
      : (branchId ?? (branches.find(({ isDefault }) => isDefault) ?? branches[0])?.id ?? null),
  }
  const [draft, setDraft] = useState(() => draftOf(name, beginning))
  const [number, setNumber] = useState(0)
  const next = (sibling?: Sibling) => {
    forgetDraft(name)
    const isThere = sibling ? sibling.guardianId === start.guardian?.id : !start.lead && !start.guardian
    if (!isThere) return go(sibling ? addressOf(sibling) : '/register')
    // The address stays, and nothing on the page would begin anew.
    setDraft(draftOf(name, { ...beginning, ...(sibling && { relationship: sibling.relationship }) }))
    return setNumber(number + 1)
  }
  return <Registration key={number} draft={draft} onNext={next} />
}

interface RegistrationProps {
  draft: Draft
  onNext: (sibling?: Sibling) => void
}

const Registration = ({ draft, onNext }: RegistrationProps) => {
  const { register: words, leads } = useWords()
  const { done, sentKey, typed } = useDraft(draft)
  // While the page is there, it tells itself what became of it.
  useEffect(() => (sentKey === undefined ? undefined : registrations.awaits(sentKey)), [sentKey])
  // As it was when one began: meanwhile it is converted by this page.
  const { lead } = draft
  const about = lead && words.fromLead(`${lead.firstName} ${lead.lastName}`)
  const name = done?.students[0]?.student?.fullName
  if (done && name !== undefined) {
    const { guardian } = done
    return (
      <Page key="done" title={words.done(name)}>
        <Done
          done={done}
          groupName={typed.group?.name}
          onSibling={guardian ? () => onNext({ guardianId: guardian.id, relationship: typed.relationship }) : undefined}
          onNext={() => onNext()}
        />
      </Page>
    )
  }
  if (lead?.status === 'converted') {
    return (
      <Page title={words.title} about={about}>
        <Empty>
          <p>{leads.stateOf.converted}</p>
          {lead.studentId !== null && <ButtonLink to={`/students/${lead.studentId}`}>{words.toStudent}</ButtonLink>}
        </Empty>
      </Page>
    )
  }
  return (
    <Page title={words.title} about={about} hasOwnFocus>
      <Fields draft={draft} />
    </Page>
  )
}

const Fields = ({ draft }: { draft: Draft }) => {
  const { can } = useMe()
  const { phase, typed, tried } = useDraft(draft)
  const body = bodyOf(typed, { lead: draft.lead, isInvoiced: can('invoices.write') && typed.group !== null })
  const { data } = useRehearsal(body)
  const rehearsal = tried && isOf(tried, body) ? tried : data
  const invoices = typed.group ? invoicesOf(rehearsal, body) : undefined
  const faultOf = useFaults(draft, rehearsal)
  const [tries, setTries] = useState(0)
  const fields = useRef<HTMLDivElement>(null)
  // What is wrong first takes the focus, each time that one tries.
  useEffect(() => {
    if (tries > 0) fields.current?.querySelector<HTMLElement>('[aria-invalid=true], [role=alert] button')?.focus()
  }, [tries])
  const save = async () => {
    const isUnfit = fields.current?.querySelector('.faulty') !== null
    if (!(await draft.save(body, { isUnfit, invoices }))) setTries(tries + 1)
  }
  return (
    <Form checksItself onSubmit={() => void save()}>
      <div className="two register" ref={fields} inert={phase !== 'typing'}>
        <div>
          {can('guardians.write') && <GuardianPart {...{ draft, rehearsal, faultOf }} />}
          <StudentPart {...{ draft, rehearsal, faultOf }} />
        </div>
        <div>
          {can('enrollments.write') && can('groups.read') && (
            <>
              <GroupPart draft={draft} />
              <InvoicePart {...{ draft, invoices }} />
            </>
          )}
        </div>
      </div>
      <SavingNotice draft={draft} />
      <SaveBar {...{ draft, invoices }} />
    </Form>
  )
}

const SaveBar = ({ draft, invoices }: { draft: Draft; invoices: ReturnType<typeof invoicesOf> }) => {
  const { register: words } = useWords()
  const format = useFormat()
  const { can } = useMe()
  const { typed, phase } = useDraft(draft)
  const { group } = typed
  const charged = can('invoices.write') ? invoices : undefined
  const facts = [group?.name, ...(charged ?? []).map(({ total }) => format.money(total))]
  return (
    <div className="bar">
      <span className="grow">
        <Dotted>
          {facts
            .filter((fact) => fact !== undefined)
            .map((fact) => (
              <bdi key={fact}>{fact}</bdi>
            ))}
        </Dotted>
      </span>
      <Button type="submit" look="primary" isBig isBusy={phase !== 'typing'}>
        {words.save}
      </Button>
    </div>
  )
}
