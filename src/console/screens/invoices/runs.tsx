import { answer, api, type Schemas } from '../../api/client.ts'
import { usePages } from '../../api/queries.ts'
import { Back } from '../../parts/back.tsx'
import { ButtonLink } from '../../parts/button.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Badge } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { toast } from '../../parts/toast.tsx'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { VoidRun } from './void-run.tsx'

type Run = Schemas['BillingRunSummary']

/** The runs that billed months, the newest first: what they billed, whom they left out, and the way to void their drafts. */
export const Screen = () => {
  const { invoices: words } = useWords()
  const { can } = useMe()
  const runs = usePages<Run>(['/billing/runs', 'list'], (cursor, signal) =>
    answer(api.GET('/billing/runs', { params: { query: { limit: 20, ...(cursor && { cursor }) } }, signal })),
  )
  return (
    <>
      <Back to="/invoices" label={words.title} />
      <Page
        title={words.runs}
        actions={
          can('invoices.write') && (
            <ButtonLink look="primary" to="/invoices/run">
              {words.monthRun}
            </ButtonLink>
          )
        }
      >
        <Rows pages={runs} label={words.runs} keyOf={({ id }) => id} empty={<p>{words.noRuns}</p>}>
          {(run) => <RunRow run={run} />}
        </Rows>
      </Page>
    </>
  )
}

const RunRow = ({ run }: { run: Run }) => {
  const { invoices: words } = useWords()
  const format = useFormat()
  const { can, institute } = useMe()
  const { id, month, createdAt, finishedAt, billed, drafts, voided, totals, skipped } = run
  const mayVoid = can('invoices.write') && !institute.isReadOnly && finishedAt !== null && drafts > 0
  return (
    <div className="row">
      <span className="grow">
        <span className="name">{format.month(month)}</span>
        <span className="about">
          <Dotted>
            {format.moment(createdAt)}
            {billed > 0
              ? words.runSum(billed, format.list(totals.map((total) => format.money(total))))
              : words.billedNothing}
            {voided > 0 && words.runVoided(voided)}
          </Dotted>
        </span>
        {skipped !== null && skipped.length > 0 && (
          <span className="about">
            {words.skippedOf(
              format.list(skipped.map(({ reason, count }) => `${words.skipReasons[reason]} (${format.number(count)})`)),
            )}
          </span>
        )}
      </span>
      {finishedAt === null ? (
        <Badge meaning="info">{words.goesOn}</Badge>
      ) : (
        drafts > 0 && <Badge meaning="warn">{words.draftsLeft(drafts)}</Badge>
      )}
      {mayVoid && <VoidRun runId={id} count={drafts} onVoided={(count) => toast(words.runVoided(count))} />}
    </div>
  )
}
