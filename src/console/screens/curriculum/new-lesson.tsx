import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Segments } from '../../parts/choose.tsx'
import { Field, LongField } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import { LINK_REFUSALS, saveLink, useLinkWords } from './video-link.ts'

interface Typed {
  title: string
  kind: Schemas['Lesson']['kind']
  url: string
  body: string
  /** '' until the lesson is there: a link that is refused then is tried again with the same lesson. */
  lessonId: string
}

/** A lesson at the end of a section: its name, and the link to its video or its text. */
export const NewLesson = ({ sectionId, onDone }: { sectionId: string; onDone: () => void }) => {
  const { curriculum: words } = useWords()
  const link = useLinkWords()
  const add = useChange('curriculum', (body: Schemas['NewLesson'], header) =>
    answer(api.POST('/sections/{id}/lessons', { params: { path: { id: sectionId }, header }, body })),
  )
  const change = useChange('curriculum', ({ lessonId, url }: { lessonId: string; url: string }) =>
    saveLink(lessonId, url),
  )
  const form = useForm<Typed>({
    start: { title: '', kind: 'video', url: '', body: '', lessonId: '' },
    bounds: ({ kind }) => {
      const { title, body } = BOUNDS.NewLesson
      return { title, ...(kind === 'text' ? { body } : { url: { ...BOUNDS.VideoLink.url, isRequired: false } }) }
    },
    refused: { url: link.refused },
    refusals: LINK_REFUSALS,
    send: async ({ title, kind, url, body, lessonId }) => {
      const isText = kind === 'text'
      const id =
        lessonId ||
        (await add.mutateAsync({ title: title.trim(), kind, ...(isText && body.trim() !== '' && { body }) })).id
      form.set({ lessonId: id })
      if (!isText && url.trim() !== '') await change.mutateAsync({ lessonId: id, url })
      toast(words.lessonAdded(title.trim()))
      onDone()
    },
  })
  const { kind } = form.typed
  return (
    <Form form={form} verb={words.addLesson} onCancel={onDone}>
      <Field label={words.lessonTitle} {...form.field('title')} autoFocus />
      <Segments
        label={words.kind}
        options={[
          { id: 'video', label: words.kinds.video },
          { id: 'text', label: words.kinds.text },
        ]}
        value={kind}
        onChange={(chosen) => form.set({ kind: chosen })}
        isWide
      />
      {kind === 'video' ? (
        <Field label={words.link} hint={words.linkHint} isOptional isLtr {...form.field('url')} />
      ) : (
        <LongField label={words.text} isOptional {...form.field('body')} />
      )}
    </Form>
  )
}
