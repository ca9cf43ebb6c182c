import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { DateField } from '../../parts/date-field.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, numberOf, useForm } from '../../parts/form.tsx'
import { RecordChoice } from '../../parts/record-choice.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { instantOf } from '../../words/zone.ts'
import { PlanChoice } from './plan-choice.tsx'
import { ANY_INSTITUTE } from './reads.ts'

type License = Schemas['License']

interface LicenseSheetProps {
  /** The licence that is changed; undefined: a new one. */
  license?: License
  /** The institute of a new one, where that is known. */
  tenantId?: string
  onClose: () => void
  onDone?: (license: License) => void
}

/** Issues a licence, or changes one. */
export const LicenseSheet = ({ license, tenantId, onClose, onDone }: LicenseSheetProps) => {
  const { licenses: words } = useWords()
  const format = useFormat()
  const add = useChange('license', (body: Schemas['NewLicense'], header) =>
    answer(api.POST('/platform/licenses', { params: { header }, body })),
  )
  const change = useChange('license', ({ id, ...body }: Schemas['LicenseChanges'] & { id: string }) =>
    answer(api.PATCH('/platform/licenses/{licenseId}', { params: { path: { licenseId: id } }, body })),
  )
  const form = useForm({
    start: {
      tenantId: license?.tenantId ?? tenantId ?? null,
      planId: license?.planId ?? '',
      maxInstalls: String(license?.maxInstalls ?? 1),
      expiresAt: license?.expiresAt ? format.dateOf(license.expiresAt) : null,
    },
    bounds: { tenantId: BOUNDS.NewLicense.tenantId, maxInstalls: BOUNDS.NewLicense.maxInstalls },
    missing: { tenantId: words.instituteMissing, maxInstalls: words.mostWrong },
    wrong: { maxInstalls: words.mostWrong },
    send: async (typed) => {
      const body = {
        planId: typed.planId === '' ? null : typed.planId,
        maxInstalls: numberOf(typed.maxInstalls) ?? 1,
        expiresAt: typed.expiresAt === null ? null : instantOf(typed.expiresAt, '23:59', format.zone),
      }
      const done = license
        ? await change.mutateAsync({ ...body, id: license.id })
        : await add.mutateAsync({ ...body, tenantId: typed.tenantId ?? '' })
      toast(license ? words.changed : words.issued)
      onClose()
      onDone?.(done)
    },
  })
  return (
    <Sheet title={license ? words.change : words.add} isOpen onClose={onClose}>
      <Form form={form} verb={license ? undefined : words.add} onCancel={onClose}>
        {!license && tenantId === undefined && (
          <RecordChoice label={words.institute} source={ANY_INSTITUTE} {...form.field('tenantId')} />
        )}
        <PlanChoice label={words.plan} none={words.noPlan} {...form.field('planId')} />
        <Field label={words.most} hint={words.mostHint} inputMode="numeric" isLtr {...form.field('maxInstalls')} />
        <DateField label={words.ends} hint={words.endsHint} isOptional {...form.field('expiresAt')} />
      </Form>
    </Sheet>
  )
}
