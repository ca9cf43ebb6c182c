import type { Schemas } from '../../api/client.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Badge, Notice } from '../../parts/notice.tsx'
import { explain } from '../../parts/problem-notice.tsx'
import { Initials } from '../../parts/person.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { useDraft, type Draft } from './draft.ts'
import { fieldOf } from './typed.ts'

type Part = 'guardian' | 'student' | 'group' | 'invoice'

const partOf = ([part, , ofStudent]: readonly string[]): Part =>
  part === 'guardian' || part === 'relationship'
    ? 'guardian'
    : ofStudent === 'groups'
      ? 'group'
      : ofStudent === 'lines'
        ? 'invoice'
        : 'student'

/** How the saving stands: that no answer came, or which part was refused and why. */
export const SavingNotice = ({ draft }: { draft: Draft }) => {
  const words = useWords()
  const { phase, sentKey, problem, hasNewPrices } = useDraft(draft)
  if (phase === 'waiting') {
    return (
      <Notice meaning="warn" icon="offline" isAlert>
        <span className="grow">{sentKey === undefined ? words.register.notSent : words.register.waiting}</span>
      </Notice>
    )
  }
  if (!problem) {
    return (
      hasNewPrices && (
        <Notice meaning="warn" isAlert>
          <span className="grow">{words.register.newPrices}</span>
        </Notice>
      )
    )
  }
  const [issue] = problem.issues
  const path = issue?.path ?? problem.details['path']
  const isMarked = !issue || fieldOf(issue.path) !== undefined
  return (
    <Notice meaning="bad" isAlert>
      <span className="grow">
        {Array.isArray(path) && <strong>{words.register.failed(words.register.parts[partOf(path)])}</strong>}{' '}
        {isMarked ? explain(words, problem) : words.register.notTaken}
        <span className="below">{words.register.nothingSaved}</span>
      </span>
    </Notice>
  )
}

interface DoneProps {
  done: Schemas['Registration']
  groupName: string | undefined
  /** undefined: there is no guardian whose other children come next. */
  onSibling: (() => void) | undefined
  onNext: () => void
}

/** Everything is saved: what became of it, and what comes next. */
export const Done = ({ done, groupName, onSibling, onNext }: DoneProps) => {
  const { register: words, payment } = useWords()
  const { can } = useMe()
  const format = useFormat()
  const { guardian } = done
  const [registered] = done.students
  if (!registered?.student) return null
  const { student, enrollments, invoices } = registered
  const [invoice] = invoices
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
          <Badge meaning="good" icon="tick">
            {words.saved}
          </Badge>
        </div>
        {guardian && (
          <div className="row">
            <span className="grow">
              {words.guardian}: <bdi>{`${guardian.firstName} ${guardian.lastName}`}</bdi>
            </span>
          </div>
        )}
        {enrollments.length > 0 && groupName !== undefined && (
          <div className="row">
            <span className="grow">
              {words.group}: <bdi>{groupName}</bdi>
            </span>
          </div>
        )}
        {invoices.map(({ id, number, total }) => (
          <div key={id} className="row">
            <span className="grow">{words.invoiceOf(number ?? '', format.money(total))}</span>
          </div>
        ))}
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
