import { useLocation } from 'wouter'
import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Choice } from '../../parts/choose.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, numberOf, useForm } from '../../parts/form.tsx'
import { MoneyField } from '../../parts/money-field.tsx'
import { Page } from '../../parts/page.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { useCategories } from '../../records/course/reads.ts'
import { addCategory } from './add-category.ts'

const NEW = 'new'

interface Typed {
  name: string
  /** null: none is chosen. */
  categoryId: string | null
  /** The name of a new one. */
  category: string
  level: string
  defaultFeeMinor: number | null
  defaultCapacity: string
}

/** `/courses/new`: what is taught, and what a group of it usually is. */
export const Screen = () => {
  const { courses: words } = useWords()
  const { institute, can } = useMe()
  const [, go] = useLocation()
  const categories = useCategories()
  const known = categories.data?.filter(({ isActive }) => isActive) ?? []
  const category = useChange('course', (name: string, header) => addCategory({ name }, header))
  const save = useChange('course', (body: Schemas['NewCourse'], header) =>
    answer(api.POST('/courses', { body, params: { header } })),
  )
  const isOfNew = ({ categoryId }: Typed) =>
    categories.data !== undefined && (categoryId === NEW || (categoryId === null && known.length === 0))
  const form = useForm<Typed>({
    start: { name: '', categoryId: null, category: '', level: '', defaultFeeMinor: null, defaultCapacity: '' },
    bounds: (typed) => {
      const { categoryId, ...bounds } = BOUNDS.NewCourse
      return { ...bounds, ...(isOfNew(typed) ? { category: BOUNDS.NewCourseCategory.name } : { categoryId }) }
    },
    missing: words.missing,
    send: async (typed) => {
      // What was added stays added where the course is refused: the next try takes it.
      const categoryId = isOfNew(typed) ? (await category.mutateAsync(typed.category)).id : (typed.categoryId ?? '')
      form.set({ categoryId })
      const [name, level, capacity] = [typed.name.trim(), typed.level.trim(), numberOf(typed.defaultCapacity)]
      const course = await save.mutateAsync({
        name,
        categoryId,
        ...(level !== '' && { level }),
        ...(capacity !== null && { defaultCapacity: capacity }),
        ...(typed.defaultFeeMinor !== null && { defaultFeeMinor: typed.defaultFeeMinor }),
      })
      toast(words.saved(name))
      go(can('groups.write') ? `/groups/new?course=${course.id}` : `/courses/${course.id}`)
    },
  })
  return (
    <Page title={words.add} hasOwnFocus>
      <div className="form">
        <Form form={form} label={words.add} verb={words.save}>
          <Field label={words.name} hint={words.nameHint} {...form.field('name')} autoFocus />
          {known.length > 0 && (
            <Choice
              label={words.category}
              placeholder={words.choose}
              options={[...known.map(({ id, name }) => ({ id, label: name })), { id: NEW, label: words.newCategory }]}
              {...form.field('categoryId')}
            />
          )}
          {isOfNew(form.typed) && (
            <Field label={words.categoryName} hint={words.categoryHint} {...form.field('category')} />
          )}
          <Field label={words.level} isOptional {...form.field('level')} />
          <MoneyField
            label={words.fee}
            hint={words.feeHint}
            isOptional
            currency={institute.currency}
            {...form.field('defaultFeeMinor')}
          />
          <Field
            label={words.capacity}
            hint={words.capacityHint}
            isOptional
            inputMode="numeric"
            isLtr
            {...form.field('defaultCapacity')}
          />
        </Form>
      </div>
    </Page>
  )
}
