import { useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Back } from '../../parts/back.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Badge, Empty } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { Confirm } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { usePlans, type Plan } from '../../records/platform/reads.ts'
import { useWords } from '../../words/language.tsx'
import { PlanForm } from './form.tsx'

/** `/platform/plans/:id`: a plan is changed, or closed. */
export const Screen = () => {
  const { id } = useParams<{ id: string }>()
  const { plans: words } = useWords()
  const plans = usePlans()
  return (
    <>
      <Back to="/platform/plans" label={words.title} />
      {plans.data ? (
        <One plan={plans.data.find((plan) => plan.id === id)} />
      ) : (
        <Page title={words.title}>
          <Loaded query={plans}>{() => null}</Loaded>
        </Page>
      )}
    </>
  )
}

const One = ({ plan }: { plan: Plan | undefined }) => {
  const { plans: words, shell } = useWords()
  const [, go] = useLocation()
  const [isAsked, setAsked] = useState(false)
  const id = plan?.id ?? ''
  const save = useChange('plan', (body: Schemas['PlanChanges']) =>
    answer(api.PATCH('/platform/plans/{id}', { params: { path: { id } }, body })),
  )
  const archive = useChange('plan', (_: void, header) =>
    answer(api.POST('/platform/plans/{id}/archive', { params: { path: { id }, header } })),
  )
  if (!plan) {
    return (
      <Page title={words.title}>
        <Empty>{words.gone}</Empty>
      </Page>
    )
  }
  const { name, archivedAt } = plan
  return (
    <Page
      name={name}
      title={<bdi>{name}</bdi>}
      about={
        archivedAt !== null && (
          <>
            <Badge>{words.archived}</Badge> {words.isArchived}
          </>
        )
      }
      actions={
        archivedAt === null && (
          <Menu
            label={shell.more}
            entries={[{ id: 'archive', label: words.archive, isDangerous: true, onSelect: () => setAsked(true) }]}
          />
        )
      }
    >
      <div className="card padded narrow">
        <PlanForm
          key={plan.updatedAt}
          plan={plan}
          send={async (changed) => {
            await save.mutateAsync(changed)
            toast(words.saved(changed.name))
            go('/platform/plans')
          }}
        />
      </div>
      <Confirm
        title={words.archiveTitle(name)}
        verb={words.archive}
        isDangerous
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={async () => {
          await archive.mutateAsync()
          toast(words.archiveDone(name))
          go('/platform/plans')
        }}
      >
        <p>{words.archiveText}</p>
      </Confirm>
    </Page>
  )
}
