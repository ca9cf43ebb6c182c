import { Link } from 'wouter'
import { BOUNDS } from '../../api/bounds.ts'
import { answer, api } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Choice } from '../../parts/choose.tsx'
import { LongField } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { PaperButton } from '../../parts/paper-button.tsx'
import { Section } from '../../parts/page.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useGuardiansOf } from '../../records/guardian/reads.ts'
import type { Invoice } from '../../records/invoice/reads.ts'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

/** Stands for the student among the guardians. */
const STUDENT = 'student'

interface MovePayerProps {
  invoice: Invoice
  studentName: string | undefined
  isOpen: boolean
  onClose: () => void
}

/** Moves an issued invoice to another guardian of the student, or to the student. */
export const MovePayer = ({ invoice, studentName, isOpen, onClose }: MovePayerProps) => {
  const { invoices: words, shell } = useWords()
  const { id, number, payerGuardianId } = invoice
  const guardians = useGuardiansOf(invoice.studentId, !isOpen)
  const move = useChange('invoice', (body: { guardianId: string | null; reason?: string }, header) =>
    answer(api.POST('/invoices/{id}/payer', { params: { path: { id }, header }, body })),
  )
  const form = useForm<{ payer: string | null; reason: string }>({
    start: { payer: null, reason: '' },
    bounds: { payer: { isRequired: true }, reason: BOUNDS.InvoicePayer.reason },
    missing: words.moveChoose,
    send: async ({ payer, reason }) => {
      const why = reason.trim()
      await move.mutateAsync({ guardianId: payer === STUDENT ? null : payer, ...(why !== '' && { reason: why }) })
      toast(words.moved(number))
      form.reset()
      onClose()
    },
  })
  const options = [
    ...(guardians.data ?? []).map(({ guardianId, guardian }) => ({
      id: guardianId,
      label: `${guardian.firstName} ${guardian.lastName}`,
    })),
    { id: STUDENT, label: words.moveStudent(studentName ?? '') },
  ].filter((option) => option.id !== (payerGuardianId ?? STUDENT))
  return (
    <Sheet title={words.moveTitle(number)} isOpen={isOpen} onClose={onClose}>
      <Form form={form} verb={words.moveVerb} onCancel={onClose}>
        <p className="soft spaced">{words.moveText}</p>
        <Choice label={words.moveTo} placeholder={words.moveChoose} options={options} {...form.field('payer')} />
        <LongField label={shell.reason} {...form.field('reason')} />
      </Form>
    </Sheet>
  )
}

/** Who paid it before, each with the paper that they hold. */
export const FormerPayers = ({ invoice: { id, replaced } }: { invoice: Invoice }) => {
  const { invoices: words } = useWords()
  const format = useFormat()
  const { can } = useMe()
  if (replaced.length === 0) return null
  return (
    <Section title={words.former}>
      <ul className="card">
        {replaced.map((one) => (
          <li key={one.id}>
            <div className="row">
              <span className="grow">
                {one.payerGuardianId !== null && can('guardians.read') ? (
                  <Link href={`/guardians/${one.payerGuardianId}`} className="link">
                    <bdi>{one.payerName}</bdi>
                  </Link>
                ) : (
                  <bdi className="name">{one.payerName ?? words.student}</bdi>
                )}
                <span className="about">{words.formerUntil(format.moment(one.replacedAt))}</span>
                {one.reason !== null && (
                  <span className="about" dir="auto">
                    {one.reason}
                  </span>
                )}
                <PaperButton path={`/invoices/${id}/pdf?replaced=${one.id}`}>{words.formerPaper}</PaperButton>
              </span>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  )
}
