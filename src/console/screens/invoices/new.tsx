import { useLocation, useParams, useSearchParams } from 'wouter'
import { answer, api } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { toast } from '../../parts/toast.tsx'
import { explain } from '../../parts/problem-notice.tsx'
import { useWords } from '../../words/language.tsx'
import { emptyLine, typedOf } from './draft.ts'
import { InvoiceForm, type Written } from './form.tsx'
import { useInvoice, type Invoice } from '../../records/invoice/reads.ts'
import { StudentChoice } from '../../records/student/find.tsx'
import { useStudent } from '../../records/student/reads.ts'

/** A new invoice of the student whom the address names. */
export const Screen = () => {
  const { invoices: words } = useWords()
  const [params, setParams] = useSearchParams()
  const studentId = params.get('student')
  if (studentId !== null) return <NewFor key={studentId} studentId={studentId} />
  return (
    <Page title={words.add} hasOwnFocus>
      <div className="slim">
        <StudentChoice
          label={words.student}
          hint={words.whoseHint}
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
  return async (written: Written, isIssued: boolean) => {
    const saved = await save.mutateAsync(written)
    const { number } = saved
    try {
      if (isIssued) await issue.mutateAsync(saved.id)
      toast(isIssued ? words.invoices.issued(number) : words.invoices.saved(number))
    } catch (problem) {
      // The draft stands, and its page has the button.
      toast(explain(words, problem))
    }
    go(`/invoices/${saved.id}`, { replace: true })
  }
}

const NewFor = ({ studentId }: { studentId: string }) => {
  const { invoices: words } = useWords()
  const student = useStudent(studentId)
  const save = useSave(undefined, studentId)
  return (
    <Page title={words.add} about={student.data && words.of(student.data.fullName)} hasOwnFocus>
      <Loaded query={student}>
        {() => (
          <InvoiceForm
            studentId={studentId}
            first={{ lines: [emptyLine('first')], dueDate: null, notes: '' }}
            save={save}
          />
        )}
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
  const save = useSave(invoice, invoice.studentId)
  const { lines, dueDate, notes } = invoice
  const first = { lines: lines.map(typedOf), dueDate, notes: notes ?? '' }
  return <InvoiceForm studentId={invoice.studentId} first={first} save={save} />
}
