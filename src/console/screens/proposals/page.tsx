import { Page } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { useProposals } from '../../records/proposal/reads.ts'
import { useMe } from '../../shell/me.tsx'
import { useWords } from '../../words/language.tsx'
import { ProposalRow } from './row.tsx'

/** `/proposals`: what families ask to change, one after the other, to be accepted or declined. */
export const Screen = () => {
  const { proposals: words } = useWords()
  const { branchId } = useMe()
  const proposals = useProposals(branchId)
  return (
    <Page title={words.title} about={words.about}>
      <Rows pages={proposals} label={words.title} keyOf={({ id }) => id} empty={words.nobody}>
        {(proposal) => <ProposalRow key={proposal.seen} proposal={proposal} />}
      </Rows>
    </Page>
  )
}
