import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Form } from '../../parts/field.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useFilters } from '../../shell/filters.ts'
import { useMe } from '../../shell/me.tsx'
import { isolate } from '../../words/format.ts'
import { draftOf, forgetDraft, useDraft, type Draft } from './draft.ts'
import { sumOf } from './first-invoice.ts'
import { GroupPart } from './group.tsx'
import { GuardianPart } from './guardian.tsx'
import { InvoicePart } from './invoice.tsx'
import { Done, SavingNotice } from './outcome.tsx'
import { StudentPart } from './student.tsx'
import { hasTwins } from './twins.tsx'
import { faultsOf, type Beginning } from './typed.ts'
import { useFaults } from './use-faults.ts'

type Start = Pick<Beginning, 'lead' | 'guardian'>

/** Registers a student; `?lead=` begins with an enquiry, `?guardian=` with a guardian who is known. */
export const Screen = () => {
  const { register: words } = useWords()
  const { filters } = useFilters(['lead', 'guardian'])
  const { lead: leadId, guardian: guardianId } = filters
  const start = useGet<Start>(['/leads', 'register', leadId, guardianId], async (signal) => {
    if (leadId) return { lead: await answer(api.GET('/leads/{id}', { params: { path: { id: leadId } }, signal })) }
    if (!guardianId) return {}
    return { guardian: await answer(api.GET('/guardians/{id}', { params: { path: { id: guardianId } }, signal })) }
  })
  const key = `${leadId ?? ''} ${guardianId ?? ''}`
  if (start.data) return <Beginnings key={key} name={key} start={start.data} />
  return (
    <Page title={words.title}>
      <Loaded query={start}>{() => null}</Loaded>
    </Page>
  )
}

/** Each registration after the first begins anew. */
const Beginnings = ({ name, start }: { name: string; start: Start }) => {
  const { institute, branches, branchId } = useMe()
  const [, go] = useLocation()
  const beginning: Beginning = {
    ...start,
    locale: institute.defaultLocale,
    branchId: start.lead
      ? null
      : (branchId ?? (branches.find(({ isDefault }) => isDefault) ?? branches[0])?.id ?? null),
  }
  const [draft, setDraft] = useState(() => draftOf(name, beginning))
  const [number, setNumber] = useState(0)
  const next = (guardianId?: string) => {
    forgetDraft(name)
    if (start.lead || start.guardian || guardianId !== undefined) {
      return go(guardianId === undefined ? '/register' : `/register?guardian=${guardianId}`)
    }
    setDraft(draftOf(name, beginning))
    return setNumber(number + 1)
  }
  return <Registration key={number} draft={draft} onNext={next} />
}

interface RegistrationProps {
  draft: Draft
  onNext: (guardianId?: string) => void
}

const Registration = ({ draft, onNext }: RegistrationProps) => {
  const { register: words, leads } = useWords()
  const { can } = useMe()
  const { phase, saved } = useDraft(draft)
  // As it was when one began: meanwhile it is converted by this page.
  const { lead } = draft
  const fees = useGet(
    ['/fee-schedules', 'in use'],
    async (signal) =>
      (await answer(api.GET('/fee-schedules', { params: { query: { isActive: true, limit: 100 } }, signal }))).data,
    { isOff: !can('invoices.read') },
  )
  const about = lead && words.fromLead(`${lead.firstName} ${lead.lastName}`)
  if (phase === 'done' && saved.student) {
    const { guardian } = saved
    return (
      <Page key="done" title={words.done(saved.student.fullName)}>
        <Done saved={saved} onSibling={guardian && (() => onNext(guardian.id))} onNext={() => onNext()} />
      </Page>
    )
  }
  if (lead?.status === 'converted') {
    return (
      <Page title={words.title} about={about}>
        <Empty>
          <p>{leads.states.converted}</p>
          {lead.studentId !== null && <ButtonLink to={`/students/${lead.studentId}`}>{words.toStudent}</ButtonLink>}
        </Empty>
      </Page>
    )
  }
  return (
    <Page title={words.title} about={about} hasOwnFocus>
      {can('invoices.read') && fees.data === undefined ? (
        <Loaded query={fees}>{() => null}</Loaded>
      ) : (
        <Fields draft={draft} fees={fees.data ?? []} />
      )}
    </Page>
  )
}

interface FieldsProps {
  draft: Draft
  fees: readonly Schemas['FeeSchedule'][]
}

const Fields = ({ draft, fees }: FieldsProps) => {
  const { can } = useMe()
  const format = useFormat()
  const { phase, isTried } = useDraft(draft)
  const faultOf = useFaults(draft)
  const [tries, setTries] = useState(0)
  const fields = useRef<HTMLDivElement>(null)
  // What is wrong first takes the focus, each time that one tries.
  useEffect(() => {
    if (tries > 0) fields.current?.querySelector<HTMLElement>('[aria-invalid=true], [role=alert] button')?.focus()
  }, [tries])
  const save = async () => {
    if (draft.get().phase !== 'typing') return
    const { typed, saved } = draft.get()
    if (!can('invoices.write')) draft.set({ typed: { ...typed, lines: [] } })
    if (!isTried) draft.set({ isTried: true })
    const isFaulty = Object.keys(faultsOf(typed, saved, format.today())).length > 0
    if (isFaulty || !(await draft.save(() => hasTwins(draft)))) setTries(tries + 1)
  }
  return (
    <Form checksItself onSubmit={() => void save()}>
      <div className="two register" ref={fields} inert={phase !== 'typing'}>
        <div>
          <GuardianPart draft={draft} faultOf={faultOf} />
          <StudentPart draft={draft} faultOf={faultOf} />
        </div>
        <div>
          {can('enrollments.write') && can('groups.read') && (
            <>
              <GroupPart draft={draft} fees={fees} />
              <InvoicePart draft={draft} />
            </>
          )}
        </div>
      </div>
      <SavingNotice draft={draft} />
      <SaveBar draft={draft} />
    </Form>
  )
}

const SaveBar = ({ draft }: { draft: Draft }) => {
  const { register: words } = useWords()
  const format = useFormat()
  const { can } = useMe()
  const { typed, phase } = useDraft(draft)
  const { group, lines } = typed
  const sum = can('invoices.write') && group ? sumOf(lines) : 0
  const facts = [
    group && isolate(group.name),
    sum > 0 && group && isolate(format.money({ amountMinor: sum, currency: group.currency })),
  ].filter(Boolean)
  return (
    <div className="bar">
      <span className="grow">{facts.join(' · ')}</span>
      <Button type="submit" look="primary" isBig isBusy={phase !== 'typing'}>
        {words.save}
      </Button>
    </div>
  )
}
