import { useState } from 'react'
import { Link } from 'wouter'
import { answer, api, type Schemas } from '../../api/client.ts'
import { afterChange, useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Check } from '../../parts/choose.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Badge } from '../../parts/notice.tsx'
import { Initials } from '../../parts/person.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { ReasonConfirm } from '../../parts/reason-confirm.tsx'
import { toast } from '../../parts/toast.tsx'
import { DetailValue, useFieldLabels, type DetailField } from '../../records/proposal/value.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

type Proposal = Schemas['ProposedChange']

/** What one family asks to change: each field as it is kept and as they have it, ticked to be taken over. */
export const ProposalRow = ({ proposal }: { proposal: Proposal }) => {
  const { proposals: words, people } = useWords()
  const format = useFormat()
  const labels = useFieldLabels()
  const { id, seen, studentId, guardianId, fullName, byName, relationship, fields, note, createdAt } = proposal
  const [chosen, setChosen] = useState<readonly DetailField[]>(fields)
  const [isDeclining, setDeclining] = useState(false)
  const accept = useChange(
    'proposal',
    (body: Schemas['Acceptance'], header) =>
      answer(api.POST('/proposed-changes/{id}/accept', { params: { path: { id }, header }, body })),
    () => toast(words.takenOver(fullName)),
  )
  const decline = useChange(
    'proposal',
    (remark: string, header) =>
      answer(api.POST('/proposed-changes/{id}/decline', { params: { path: { id }, header }, body: { seen, remark } })),
    () => toast(words.leftAlone(fullName)),
  )
  /** What somebody else changed is shown as it is now, before anybody decides. */
  const lookAnew = ({ reason }: { reason: string | undefined }) => {
    if (reason !== 'proposal_changed' && reason !== 'proposal_not_open') return
    toast(words.changedMeanwhile)
    void afterChange('proposal')
  }
  const choose = (field: DetailField, isChosen: boolean) =>
    setChosen(fields.filter((one) => (one === field ? isChosen : chosen.includes(one))))
  const isAll = chosen.length === fields.length
  const isBusy = accept.isPending || decline.isPending
  const by = relationship === null ? words.by(byName) : words.byRelation(byName, people.relations[relationship])
  return (
    <article className="proposal" aria-label={fullName}>
      <div className="row">
        <Initials name={fullName} />
        <span className="grow">
          <Link className="name" href={studentId === null ? `/guardians/${guardianId}` : `/students/${studentId}`}>
            <bdi>{fullName}</bdi>
          </Link>
          <span className="about">
            <Dotted>
              {by}
              <bdi>{format.moment(createdAt)}</bdi>
            </Dotted>
          </span>
          {note !== null && (
            <span className="long" dir="auto">
              {note}
            </span>
          )}
        </span>
      </div>
      <ul className="compared">
        {fields.map((field) => (
          <li key={field}>
            <Check isChecked={chosen.includes(field)} onChange={(isChosen) => choose(field, isChosen)}>
              <span className="label">{labels[field]}</span>
              <span className="soft former">
                <span className="unseen">{words.was}: </span>
                <DetailValue details={proposal.stands} field={field} />
              </span>
              <span className="wanted">
                <span className="unseen">{words.proposed}: </span>
                <DetailValue details={proposal.proposed} field={field} />
              </span>
            </Check>
            {proposal.changedSince.includes(field) && <Badge meaning="warn">{words.changedSince}</Badge>}
          </li>
        ))}
      </ul>
      {accept.error && <ProblemNotice problem={accept.error} />}
      <div className="actions">
        <Button
          look="quiet"
          isDisabled={isBusy}
          onPress={() => setDeclining(true)}
          aria-label={words.declineOf(fullName)}
        >
          {words.decline}
        </Button>
        <Button
          isBusy={accept.isPending}
          isDisabled={isBusy || chosen.length === 0}
          onPress={() => accept.mutate({ seen, ...(!isAll && { fields: [...chosen] }) }, { onError: lookAnew })}
          {...(isAll && { 'aria-label': words.acceptOf(fullName) })}
        >
          {isAll ? words.accept : words.acceptSome(chosen.length)}
        </Button>
      </div>
      <ReasonConfirm
        title={words.declineTitle(fullName)}
        verb={words.decline}
        isOpen={isDeclining}
        onClose={() => setDeclining(false)}
        onConfirm={(remark) => decline.mutateAsync(remark, { onError: lookAnew })}
      >
        <p>{words.declineFollows}</p>
      </ReasonConfirm>
    </article>
  )
}
