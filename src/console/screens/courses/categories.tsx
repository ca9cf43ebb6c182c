import { useState } from 'react'
import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange, useGet } from '../../api/queries.ts'
import { Back } from '../../parts/back.tsx'
import { Button } from '../../parts/button.tsx'
import { Choice } from '../../parts/choose.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Badge, Empty } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { explain } from '../../parts/problem-notice.tsx'
import { Confirm, Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useMe } from '../../shell/me.tsx'
import { useWords } from '../../words/language.tsx'
import { addCategory } from './add-category.ts'

type Node = Schemas['CourseCategoryNode']

interface Placed {
  category: Node
  /** How deep it stands; 0: at the top. */
  depth: number
}

const placed = (nodes: readonly Node[], depth = 0): Placed[] =>
  nodes.flatMap((category) => [{ category, depth }, ...placed(category.children, depth + 1)])

/** The ids of a category and of all that stand under it. */
const within = (category: Node): string[] => [category.id, ...category.children.flatMap(within)]

/** `/courses/categories`: under what the courses stand. */
export const Screen = () => {
  const { courses } = useWords()
  const { categories: words } = courses
  const { canEverywhere } = useMe()
  const mayChange = canEverywhere('courses.write')
  const [isAdding, setAdding] = useState(false)
  const tree = useGet(['/course-categories', 'tree'], (signal) => answer(api.GET('/course-categories', { signal })))
  return (
    <>
      <Back to="/courses" label={courses.title} />
      <Page
        title={words.title}
        about={words.about}
        actions={
          mayChange && (
            <Button look="primary" icon="plus" onPress={() => setAdding(true)}>
              {words.add}
            </Button>
          )
        }
      >
        <div className="narrow">
          <Loaded query={tree}>
            {(nodes) => (
              <>
                <div className="card">
                  {nodes.length === 0 ? (
                    <Empty>{words.none}</Empty>
                  ) : (
                    <ul aria-label={words.title}>
                      {placed(nodes).map(({ category, depth }) => (
                        <li key={category.id}>
                          <Row category={category} depth={depth} all={nodes} mayChange={mayChange} />
                        </li>
                      ))}
                    </ul>
                  )}
                </div>
                {isAdding && <Edit all={nodes} onClose={() => setAdding(false)} />}
              </>
            )}
          </Loaded>
        </div>
      </Page>
    </>
  )
}

interface RowProps extends Placed {
  all: readonly Node[]
  mayChange: boolean
}

const Row = ({ category, depth, all, mayChange }: RowProps) => {
  const words = useWords()
  const { categories } = words.courses
  const [asked, setAsked] = useState<'change' | 'retire' | 'remove'>()
  const close = () => setAsked(undefined)
  const { id, name, isActive } = category
  const turn = useChange('course', (body: Schemas['CourseCategoryChanges']) =>
    answer(api.PATCH('/course-categories/{id}', { params: { path: { id } }, body })),
  )
  const remove = useChange('course', () => answer(api.DELETE('/course-categories/{id}', { params: { path: { id } } })))
  const restore = () =>
    turn.mutate(
      { isActive: true },
      {
        onSuccess: () => toast(categories.restored(name)),
        onError: (error) => toast(explain(words, error)),
      },
    )
  return (
    <div className={`row deep-${Math.min(depth, DEEPEST_SHOWN)}`}>
      <span className="grow chips">
        <bdi className="name">{name}</bdi>
        {!isActive && <Badge>{categories.retired}</Badge>}
      </span>
      {mayChange && (
        <Menu
          label={categories.more(name)}
          entries={[
            { id: 'change', label: categories.change, onSelect: () => setAsked('change') },
            isActive
              ? { id: 'retire', label: categories.retire, onSelect: () => setAsked('retire') }
              : { id: 'restore', label: categories.restore, onSelect: restore },
            { id: 'remove', label: categories.remove, isDangerous: true, onSelect: () => setAsked('remove') },
          ]}
        />
      )}
      {asked === 'change' && <Edit category={category} all={all} onClose={close} />}
      <Confirm
        title={categories.retireTitle(name)}
        verb={categories.retire}
        isOpen={asked === 'retire'}
        onClose={close}
        onConfirm={async () => {
          await turn.mutateAsync({ isActive: false })
          toast(categories.retiredNow(name))
        }}
      >
        <p>{categories.retireText}</p>
      </Confirm>
      <Confirm
        title={categories.removeTitle(name)}
        verb={categories.remove}
        isDangerous
        isOpen={asked === 'remove'}
        onClose={close}
        onConfirm={async () => {
          await remove.mutateAsync(undefined)
          toast(categories.removed(name))
        }}
      >
        <p>{categories.removeText}</p>
      </Confirm>
    </div>
  )
}

/** What stands deeper is not set in further: a phone has no room for it. */
const DEEPEST_SHOWN = 3

const TOP = ''

/** Changes the name of a category and where it stands, or adds one. */
const Edit = ({ category, all, onClose }: { category?: Node; all: readonly Node[]; onClose: () => void }) => {
  const { courses, edit } = useWords()
  const { categories: words } = courses
  const save = useChange('course', async (typed: { name: string; parentId: string }, header) => {
    const { name, parentId } = typed
    if (category === undefined) return addCategory({ name, ...(parentId !== TOP && { parentId }) }, header)
    const body = { name: name.trim(), parentId: parentId === TOP ? null : parentId }
    return answer(api.PATCH('/course-categories/{id}', { params: { path: { id: category.id } }, body }))
  })
  const form = useForm({
    start: { name: category?.name ?? '', parentId: category?.parentId ?? TOP },
    bounds: { name: BOUNDS.NewCourseCategory.name },
    missing: words.nameMissing,
    refused: { parentId: edit.notAccepted },
    send: async (typed) => {
      await save.mutateAsync(typed)
      toast(category ? words.changed(typed.name) : words.added(typed.name))
      onClose()
    },
  })
  const own = category ? within(category) : []
  const above = placed(all).filter((one) => !own.includes(one.category.id))
  return (
    <Sheet title={category ? words.change : words.add} isOpen onClose={onClose}>
      <Form form={form} onCancel={onClose}>
        <Field label={courses.categoryName} hint={courses.categoryHint} {...form.field('name')} autoFocus />
        {above.length > 0 && (
          <Choice
            label={words.parent}
            options={[
              { id: TOP, label: words.atTop },
              ...above.map((one) => ({ id: one.category.id, label: one.category.name })),
            ]}
            {...form.field('parentId')}
          />
        )}
      </Form>
    </Sheet>
  )
}
