import { Button, ButtonLink } from '../../parts/button.tsx'
import { Badge, Notice } from '../../parts/notice.tsx'
import { explain } from '../../parts/problem-notice.tsx'
import { Initials } from '../../parts/person.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { useDraft, type Draft } from './draft.ts'
import { PARTS, type Part, type Saved } from './saving.ts'

export const SavedBadge = () => {
  const { register: words } = useWords()
  return (
    <Badge meaning="good" icon="tick">
      {words.saved}
    </Badge>
  )
}

const savedParts = (saved: Saved): Part[] => {
  const isSaved: Record<Part, boolean> = {
    guardian: saved.guardian !== undefined,
    student: saved.student !== undefined,
    link: saved.isLinked === true,
    group: saved.group !== undefined,
    invoice: saved.invoice !== undefined,
  }
  return PARTS.filter((part) => isSaved[part])
}

/** How the saving stands: that no answer came, or which part was refused and why. */
export const SavingNotice = ({ draft }: { draft: Draft }) => {
  const words = useWords()
  const format = useFormat()
  const { phase, failure, saved } = useDraft(draft)
  if (phase === 'waiting') {
    return (
      <Notice meaning="warn" icon="offline" isAlert>
        <span className="grow">{words.register.waiting}</span>
      </Notice>
    )
  }
  if (!failure) return null
  const parts = savedParts(saved).map((part) => words.register.parts[part])
  return (
    <Notice meaning="bad" isAlert>
      <span className="grow">
        <strong>{words.register.failed(words.register.parts[failure.part])}</strong> {explain(words, failure.problem)}
        {parts.length > 0 && <span className="below">{words.register.savedBefore(format.list(parts))}</span>}
      </span>
    </Notice>
  )
}

interface DoneProps {
  saved: Saved
  /** undefined: there is no guardian whose other children come next. */
  onSibling: (() => void) | undefined
  onNext: () => void
}

/** Everything is saved: what became of it, and what comes next. */
export const Done = ({ saved, onSibling, onNext }: DoneProps) => {
  const { register: words, payment } = useWords()
  const { can } = useMe()
  const format = useFormat()
  const { student, group, invoice, guardian } = saved
  if (!student) return null
  const mayPay = invoice !== undefined && can('payments.record')
  return (
    <>
      <div className="card">
        <div className="row">
          <Initials name={student.fullName} />
          <span className="grow">
            <bdi className="name">{student.fullName}</bdi>
            <span className="about ltr-text">{student.studentNumber}</span>
          </span>
          <SavedBadge />
        </div>
        {guardian && (
          <div className="row">
            <span className="grow">
              {words.guardian}: <bdi>{guardian.name}</bdi>
            </span>
          </div>
        )}
        {group && (
          <div className="row">
            <span className="grow">
              {words.group}: <bdi>{group.name}</bdi>
            </span>
          </div>
        )}
        {invoice && (
          <div className="row">
            <span className="grow">{words.invoiceOf(invoice.number, format.money(invoice.total))}</span>
          </div>
        )}
      </div>
      <div className="actions below">
        {mayPay && (
          <ButtonLink to={`/pay/students/${student.id}?invoice=${invoice.id}`} look="primary">
            {payment.title}
          </ButtonLink>
        )}
        <ButtonLink to={`/students/${student.id}`} look={mayPay ? 'plain' : 'primary'}>
          {words.toStudent}
        </ButtonLink>
        {onSibling && <Button onPress={onSibling}>{words.sibling}</Button>}
        <Button onPress={onNext}>{words.next}</Button>
      </div>
    </>
  )
}
