import { Fragment, useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty, Notice } from '../../parts/notice.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { usePointed } from '../../parts/pointed.ts'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useOwnDetails } from '../../records/proposal/reads.ts'
import { DETAIL_FIELDS, DetailValue, useFieldLabels, type DetailField } from '../../records/proposal/value.tsx'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { Propose } from './propose.tsx'

type OwnRecord = Schemas['OwnRecord']

const idOf = ({ studentId, guardianId }: OwnRecord): string => studentId ?? guardianId ?? ''

/** `/details`: what the school keeps of a family, each person by themself, and what they ask it to change. */
export const Screen = () => {
  const { proposals: words } = useWords()
  const details = useOwnDetails()
  const pointed = usePointed('of')
  return (
    <Page title={words.own} about={words.ownAbout}>
      <Loaded query={details}>
        {({ records }) =>
          records.length === 0 ? (
            <Empty>{words.none}</Empty>
          ) : (
            records.map((record) => (
              <div key={idOf(record)} {...pointed(idOf(record))}>
                <Person record={record} />
              </div>
            ))
          )
        }
      </Loaded>
    </Page>
  )
}

const Person = ({ record }: { record: OwnRecord }) => {
  const { proposals: words } = useWords()
  const labels = useFieldLabels()
  const { institute } = useMe()
  const [isProposing, setProposing] = useState(false)
  const { fullName, details, fields, guardianId, proposal } = record
  const shown = DETAIL_FIELDS.filter((field) => field !== 'birthDate' || guardianId === null)
  const mayPropose = fields.length > 0 && !institute.isReadOnly
  return (
    <Section
      title={<bdi>{fullName}</bdi>}
      actions={
        mayPropose && (
          <Button onPress={() => setProposing(true)} aria-label={words.proposeOf(fullName)}>
            {words.propose}
          </Button>
        )
      }
    >
      {proposal?.status === 'open' && <Waiting proposal={proposal} mayTakeBack={!institute.isReadOnly} />}
      {proposal && proposal.status !== 'open' && <Outcome proposal={proposal} />}
      <Facts>
        {shown.map((field) => (
          <Fragment key={field}>
            <dt>{labels[field]}</dt>
            <dd>
              <span className="fixed">
                <DetailValue details={details} field={field} />
              </span>
            </dd>
          </Fragment>
        ))}
      </Facts>
      {isProposing && <Propose record={record} onClose={() => setProposing(false)} />}
    </Section>
  )
}

type Proposal = Schemas['OwnProposal']

const Waiting = ({ proposal, mayTakeBack }: { proposal: Proposal; mayTakeBack: boolean }) => {
  const { proposals: words } = useWords()
  const labels = useFieldLabels()
  const takeBack = useChange(
    'proposal',
    (id: string) => answer(api.DELETE('/me/proposed-changes/{id}', { params: { path: { id } } })),
    () => toast(words.takenBack),
  )
  return (
    <Notice meaning="info">
      <div className="grow">
        <p>{words.waiting}</p>
        <Facts look="plain">
          {proposal.fields.map((field) => (
            <Fragment key={field}>
              <dt>{labels[field]}</dt>
              <dd>
                <DetailValue details={proposal.proposed} field={field} />
              </dd>
            </Fragment>
          ))}
        </Facts>
        {takeBack.error && <ProblemNotice problem={takeBack.error} />}
      </div>
      {mayTakeBack && (
        <Button look="quiet" isBusy={takeBack.isPending} onPress={() => takeBack.mutate(proposal.id)}>
          {words.takeBack}
        </Button>
      )}
    </Notice>
  )
}

/** What became of the last one. */
const Outcome = ({ proposal }: { proposal: Proposal }) => {
  const { proposals: words } = useWords()
  const format = useFormat()
  const labels = useFieldLabels()
  const { acceptedFields, fields, remark, status } = proposal
  const named = (some: readonly DetailField[]): string => format.list(some.map((field) => labels[field]))
  const left = fields.filter((field) => !acceptedFields.includes(field))
  return (
    <Notice meaning={status === 'accepted' ? 'good' : 'warn'}>
      <div className="grow">
        {acceptedFields.length > 0 && <p>{words.accepted(named(acceptedFields))}</p>}
        {left.length > 0 && <p>{status === 'accepted' ? words.left(named(left)) : words.declined(named(left))}</p>}
        {remark !== null && <p className="long">{words.remark(remark)}</p>}
      </div>
    </Notice>
  )
}
