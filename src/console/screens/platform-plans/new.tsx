import { useLocation } from 'wouter'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Back } from '../../parts/back.tsx'
import { Page } from '../../parts/page.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import { PlanForm } from './form.tsx'

/** `/platform/plans/new`. */
export const Screen = () => {
  const { plans: words } = useWords()
  const [, go] = useLocation()
  const add = useChange('plan', (body: Schemas['NewPlan'], header) =>
    answer(api.POST('/platform/plans', { params: { header }, body })),
  )
  return (
    <>
      <Back to="/platform/plans" label={words.title} />
      <Page title={words.add}>
        <div className="card padded narrow">
          <PlanForm
            verb={words.add}
            send={async (plan) => {
              await add.mutateAsync(plan)
              toast(words.made(plan.name))
              go('/platform/plans')
            }}
          />
        </div>
      </Page>
    </>
  )
}
