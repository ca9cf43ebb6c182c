import { useCallback } from 'react'
import { useLocation, useParams, useSearchParams } from 'wouter'
import { answer, api } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import type { Option } from '../../parts/choose.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { SearchChoice } from '../../parts/search-choice.tsx'
import { toast } from '../../parts/toast.tsx'
import { explain } from '../../parts/problem-notice.tsx'
import { useWords } from '../../words/language.tsx'
import { isolate } from '../../words/format.ts'
import { emptyLine, typedOf } from './draft.ts'
import { InvoiceForm, type Written } from './form.tsx'
import { useInvoice, type Invoice } from '../../records/invoice/reads.ts'
import { readStudents, useStudent } from '../../records/student/reads.ts'

const SHORTEST = 2

/** A new invoice of the student whom the address names. */
export const Screen = () => {
  const { invoices: words } = useWords()
  const [params, setParams] = useSearchParams()
  const studentId = params.get('student')
  const find = useCallback(async (text: string, signal: AbortSignal): Promise<Option<string>[]> => {
    if (text.trim().length < SHORTEST) return []
    const { data } = await readStudents({ q: text.trim(), limit: 10 }, signal)
    return data.map(({ id, fullName, studentNumber }) => ({ id, label: fullName, about: studentNumber }))
  }, [])
  if (studentId !== null) return <NewFor key={studentId} studentId={studentId} />
  return (
    <Page title={words.add} hasOwnFocus>
      <div className="slim">
        <SearchChoice
          label={words.student}
          hint={words.whoseHint}
          find={find}
          autoFocus
          onChoose={({ id }) => setParams({ student: id }, { replace: true })}
        />
      </div>
    </Page>
  )
}

const useSave = (invoice: Invoice | undefined, studentId: string) => {
  const words = useWords()
  const [, go] = useLocation()
  const save = useChange('invoice', ({ lines, dueDate, notes }: Written, header) => {
    const body = { lines, ...(dueDate !== null && { dueDate }), notes: notes || null }
    if (!invoice) return answer(api.POST('/invoices', { params: { header }, body: { studentId, ...body } }))
    const { id, version } = invoice
    return answer(api.PATCH('/invoices/{id}', { params: { path: { id }, header }, body: { ...body, version } }))
  })
  const issue = useChange('invoice', (id: string, header) =>
    answer(api.POST('/invoices/{id}/issue', { params: { path: { id }, header } })),
  )
  const submit = async (written: Written, isIssued: boolean) => {
    const saved = await save.mutateAsync(written).catch(() => undefined)
    if (!saved) return
    const number = isolate(saved.number)
    if (isIssued)
      await issue.mutateAsync(saved.id).then(
        () => toast(words.invoices.issued(number)),
        // The draft stands, and its page has the button.
        (problem: unknown) => toast(explain(words, problem)),
      )
    else toast(words.invoices.saved(number))
    go(`/invoices/${saved.id}`, { replace: true })
  }
  return { submit, isBusy: save.isPending || issue.isPending, problem: save.error }
}

const NewFor = ({ studentId }: { studentId: string }) => {
  const { invoices: words } = useWords()
  const student = useStudent(studentId)
  const saving = useSave(undefined, studentId)
  return (
    <Page title={words.add} about={student.data && words.of(isolate(student.data.fullName))} hasOwnFocus>
      <Loaded query={student}>
        {() => <InvoiceForm first={{ lines: [emptyLine('first')], dueDate: null, notes: '' }} {...saving} />}
      </Loaded>
    </Page>
  )
}

/** A draft that is changed before it is issued. */
export const EditScreen = () => {
  const { id = '' } = useParams()
  const { invoices: words } = useWords()
  const invoice = useInvoice(id)
  return (
    <Page title={words.edit} about={invoice.data && <span className="ltr">{invoice.data.number}</span>} hasOwnFocus>
      <Loaded query={invoice}>
        {(read) => (read.status === 'draft' ? <Edit key={read.id} invoice={read} /> : <Stands />)}
      </Loaded>
    </Page>
  )
}

const Stands = () => {
  const { refusals } = useWords()
  return <Notice meaning="warn">{refusals.reasons.not_a_draft}</Notice>
}

const Edit = ({ invoice }: { invoice: Invoice }) => {
  const saving = useSave(invoice, invoice.studentId)
  const { lines, dueDate, notes } = invoice
  return <InvoiceForm first={{ lines: lines.map(typedOf), dueDate, notes: notes ?? '' }} {...saving} />
}
