import { useState } from 'react'
import { useLocation } from 'wouter'
import { answer, api, type Schemas } from '../../api/client.ts'
import { Problem } from '../../api/problem.ts'
import { stepOf, type IntentHeader } from '../../api/intents/intent.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Choice } from '../../parts/choose.tsx'
import { Field, Form } from '../../parts/field.tsx'
import { MoneyField } from '../../parts/money-field.tsx'
import { Page } from '../../parts/page.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { plainDigits } from '../../../shared/typed.ts'
import { useCategories } from '../../records/course/reads.ts'

const NEW = 'new'

/** A category has a short name for addresses, of which nobody needs to know. */
const slugOf = (name: string): string =>
  name
    .trim()
    .replaceAll(/[^\p{L}\p{M}\p{Nd}._-]+/gu, '-')
    .slice(0, 100) || 'category'

const addCategory = async (name: string, header: IntentHeader): Promise<Schemas['CourseCategory']> => {
  const add = (slug: string, step: IntentHeader) =>
    answer(api.POST('/course-categories', { params: { header: step }, body: { name: name.trim(), slug } }))
  try {
    return await add(slugOf(name), header)
  } catch (error) {
    if (!(error instanceof Problem) || error.reason !== 'category_slug_taken') throw error
    return add(`${slugOf(name)}-${header['Idempotency-Key'].slice(0, 6)}`, stepOf(header, 'other-slug'))
  }
}

const EMPTY = { name: '', category: '', level: '', capacity: '' }

/** `/courses/new`: what is taught, and what a group of it usually is. */
export const Screen = () => {
  const { courses: words, edit, groups } = useWords()
  const { institute, can } = useMe()
  const [, go] = useLocation()
  const categories = useCategories()
  const [typed, setTyped] = useState(EMPTY)
  const [chosen, setChosen] = useState<string | null>(null)
  const [fee, setFee] = useState<number | null>(null)
  const [isTried, setTried] = useState(false)
  const category = useChange('course', addCategory)
  const save = useChange('course', (body: Schemas['NewCourse'], header) =>
    answer(api.POST('/courses', { body, params: { header } })),
  )
  const set = (name: keyof typeof EMPTY) => (value: string) => setTyped({ ...typed, [name]: value })
  const known = categories.data ?? []
  const isNew = categories.data !== undefined && (chosen === NEW || known.length === 0)
  const capacity = plainDigits(typed.capacity).trim()
  const isCapacity = capacity === '' || /^[1-9]\d{0,4}$/.test(capacity)
  const submit = async () => {
    setTried(true)
    const name = typed.name.trim()
    const isMissing = name === '' || (isNew ? typed.category.trim() === '' : chosen === null)
    if (isMissing || !isCapacity || save.isPending || category.isPending) return
    try {
      // What was added stays added where the course is refused: the next try takes it.
      const categoryId = isNew ? (await category.mutateAsync(typed.category)).id : (chosen ?? '')
      setChosen(categoryId)
      const course = await save.mutateAsync({
        name,
        categoryId,
        ...(typed.level.trim() !== '' && { level: typed.level.trim() }),
        ...(capacity !== '' && { defaultCapacity: Number(capacity) }),
        ...(fee !== null && { defaultFeeMinor: fee }),
      })
      toast(words.saved(name))
      go(can('groups.write') ? `/groups/new?course=${course.id}` : `/courses/${course.id}`)
    } catch (error) {
      // The form shows it, and keeps what was typed.
      if (!(error instanceof Problem)) throw error
    }
  }
  const problem = save.error ?? category.error
  const missing = (value: string) => (isTried && value.trim() === '' ? words.missing : undefined)
  return (
    <Page title={words.add} hasOwnFocus>
      <div className="form">
        <Form onSubmit={() => void submit()} label={words.add}>
          {problem && <ProblemNotice problem={problem} />}
          <Field
            label={words.name}
            hint={words.nameHint}
            value={typed.name}
            onChange={set('name')}
            error={missing(typed.name)}
            maxLength={200}
            autoFocus
          />
          {known.length > 0 && (
            <Choice
              label={words.category}
              placeholder={words.choose}
              options={[...known.map(({ id, name }) => ({ id, label: name })), { id: NEW, label: words.newCategory }]}
              value={chosen}
              onChange={setChosen}
              error={isTried && chosen === null ? words.missing : undefined}
            />
          )}
          {isNew && (
            <Field
              label={words.categoryName}
              value={typed.category}
              onChange={set('category')}
              error={missing(typed.category)}
              maxLength={150}
            />
          )}
          <Field label={words.level} isOptional value={typed.level} onChange={set('level')} maxLength={100} />
          <MoneyField
            label={words.fee}
            hint={words.feeHint}
            isOptional
            currency={institute.currency}
            value={fee}
            onChange={setFee}
          />
          <Field
            label={words.capacity}
            hint={groups.noLimit}
            isOptional
            value={typed.capacity}
            onChange={set('capacity')}
            inputMode="numeric"
            isLtr
            error={isCapacity ? undefined : edit.notNumber}
          />
          <div className="actions">
            <Button type="submit" look="primary" isBusy={save.isPending || category.isPending}>
              {words.save}
            </Button>
          </div>
        </Form>
      </div>
    </Page>
  )
}
