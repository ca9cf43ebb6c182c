import { useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { fieldsOf } from '../../api/versioned.ts'
import { Back } from '../../parts/back.tsx'
import { Button } from '../../parts/button.tsx'
import { Editable } from '../../parts/editable.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, numberOf, useForm } from '../../parts/form.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Badge } from '../../parts/notice.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { readLesson, useCurriculum, useLesson, type VideoLesson } from '../../records/curriculum/reads.ts'
import { siteOf, Watch } from '../../records/curriculum/video.tsx'
import { useWords } from '../../words/language.tsx'
import { Instead, useMayTeach } from './frame.tsx'
import { minutesOf } from './lesson-row.tsx'
import { useLessonWork } from './lesson-work.tsx'
import { LINK_REFUSALS, saveLink, useLinkWords } from './video-link.ts'

/** `/lessons/:id`: one lesson of a video course, with its video and its text. */
export const Screen = () => {
  const { id } = useParams<{ id: string }>()
  const lesson = useLesson(id)
  return lesson.data ? <One key={id} lesson={lesson.data} /> : <Instead query={lesson} />
}

const One = ({ lesson }: { lesson: VideoLesson }) => {
  const { curriculum: words, shell } = useWords()
  const [, go] = useLocation()
  const mayTeach = useMayTeach()
  const { title, courseId, publishedAt, isPreview } = lesson
  const above = `/courses/${courseId}/curriculum`
  const work = useLessonWork(lesson, () => go(above, { replace: true }))
  const isPublished = publishedAt !== null
  return (
    <>
      <Back to={above} label={words.backToLessons} />
      <Page
        title={<bdi>{title}</bdi>}
        name={title}
        about={
          <span className="chips">
            {isPublished ? (
              <Badge meaning="good" icon="tick">
                {words.published}
              </Badge>
            ) : (
              <Badge>{words.notPublished}</Badge>
            )}
            {isPreview && <Badge meaning="info">{words.preview}</Badge>}
          </span>
        }
        actions={
          mayTeach && (
            <>
              <Button
                look={isPublished ? 'plain' : 'primary'}
                isBusy={work.isBusy}
                onPress={isPublished ? work.unpublish : work.publish}
              >
                {isPublished ? words.unpublish : words.publish}
              </Button>
              <Menu label={`${shell.more}: ${title}`} entries={[work.removal]} />
            </>
          )
        }
      >
        {work.questions}
        <div className="two">
          <div>
            <Video lesson={lesson} />
            <Text lesson={lesson} />
          </div>
          <div>
            <Details lesson={lesson} />
          </div>
        </div>
      </Page>
    </>
  )
}

const Video = ({ lesson }: { lesson: VideoLesson }) => {
  const { curriculum: words } = useWords()
  const mayTeach = useMayTeach()
  const [isChanging, setChanging] = useState(false)
  const { id, title, kind, video } = lesson
  const takeOff = useChange('curriculum', (lessonId: string) =>
    answer(api.DELETE('/lessons/{id}/video', { params: { path: { id: lessonId } } })),
  )
  if (kind === 'text' && video === null) return null
  const isTyping = mayTeach && (isChanging || video === null)
  return (
    <Section title={words.video}>
      <div className="card padded video-card">
        {takeOff.error && <ProblemNotice problem={takeOff.error} />}
        {video && (
          <>
            <a className="link ltr-text long" href={video.url} target="_blank" rel="noreferrer">
              <bdi>{video.url}</bdi>
            </a>
            <p className="soft small">{words.opensElsewhere(siteOf(video))}</p>
            <div className="actions">
              <Watch video={video} lesson={title} />
              {mayTeach && !isChanging && (
                <>
                  <Button onPress={() => setChanging(true)}>{words.changeLink}</Button>
                  <Button
                    look="quiet"
                    isBusy={takeOff.isPending}
                    onPress={() => takeOff.mutate(id, { onSuccess: () => toast(words.tookOff) })}
                  >
                    {words.takeOff}
                  </Button>
                </>
              )}
            </div>
          </>
        )}
        {!video && !mayTeach && <p className="soft">{words.noVideo}</p>}
        {isTyping && <LinkForm lesson={lesson} onDone={() => setChanging(false)} />}
      </div>
    </Section>
  )
}

const LinkForm = ({ lesson: { id, video }, onDone }: { lesson: VideoLesson; onDone: () => void }) => {
  const { curriculum: words } = useWords()
  const link = useLinkWords()
  const save = useChange('curriculum', (url: string) => saveLink(id, url))
  const form = useForm({
    start: { url: '' },
    bounds: BOUNDS.VideoLink,
    missing: link.missing,
    refused: { url: link.refused },
    refusals: LINK_REFUSALS,
    send: async ({ url }) => {
      await save.mutateAsync(url)
      toast(words.linkSaved)
      onDone()
    },
  })
  return (
    <Form form={form} verb={words.saveLink} look="plain" {...(video && { onCancel: onDone })}>
      <Field label={words.link} hint={words.linkHint} isLtr {...form.field('url')} autoFocus={video !== null} />
    </Form>
  )
}

/** Changes one field of a lesson; what somebody else changes meanwhile stands. */
const fieldOf = (id: string) =>
  fieldsOf<VideoLesson, Omit<Schemas['LessonChanges'], 'version'>>({
    key: ['/lessons', id],
    change: 'curriculum',
    read: () => readLesson(id),
    send: (body, version) =>
      answer(
        api.PATCH('/lessons/{id}', {
          params: { path: { id } },
          body: { ...body, ...(version !== undefined && { version }) },
        }),
      ),
  })

const Text = ({ lesson: { id, kind, body } }: { lesson: VideoLesson }) => {
  const { curriculum: words } = useWords()
  const mayTeach = useMayTeach()
  if (kind === 'video' && body === null && !mayTeach) return null
  const save = fieldOf(id)(
    (record) => record.body ?? '',
    (typed) => ({ body: typed === '' ? null : typed }),
  )
  return (
    <Section title={words.text}>
      <div className="lesson-text">
        <Facts>
          <Editable
            label={words.text}
            value={body ?? ''}
            none={words.noText}
            kind="long"
            bound={BOUNDS.LessonChanges.body}
            onSave={mayTeach ? save : undefined}
          />
        </Facts>
      </div>
    </Section>
  )
}

const MOST_MINUTES = 1440
const SECONDS = 60

const Details = ({ lesson }: { lesson: VideoLesson }) => {
  const { curriculum: words, courses } = useWords()
  const mayTeach = useMayTeach()
  const { id, courseId, sectionId, title, description, kind, durationSec, isPreview } = lesson
  const sections = useCurriculum(courseId).data?.sections ?? []
  const field = fieldOf(id)
  const may = <T,>(save: T): T | undefined => (mayTeach ? save : undefined)
  const typedMinutes = (seconds: number | null) => (seconds === null ? '' : String(minutesOf(seconds)))
  return (
    <Section title={courses.details}>
      <Facts>
        <Editable
          label={words.lessonTitle}
          value={title}
          bound={BOUNDS.LessonChanges.title}
          onSave={may(
            field(
              (record) => record.title,
              (typed) => ({ title: typed }),
            ),
          )}
        />
        <Editable
          label={words.description}
          value={description ?? ''}
          kind="long"
          bound={BOUNDS.LessonChanges.description}
          onSave={may(
            field(
              (record) => record.description ?? '',
              (typed) => ({ description: typed === '' ? null : typed }),
            ),
          )}
        />
        <Editable
          label={words.section}
          value={sectionId}
          shown={<bdi>{sections.find((one) => one.id === sectionId)?.title ?? '…'}</bdi>}
          options={sections.map((one) => ({ id: one.id, label: one.title }))}
          onSave={may(
            field(
              (record) => record.sectionId,
              (typed) => ({ sectionId: typed }),
            ),
          )}
        />
        <Editable
          label={words.kind}
          value={kind}
          shown={words.kinds[kind]}
          options={[
            { id: 'video', label: words.kinds.video },
            { id: 'text', label: words.kinds.text },
          ]}
          onSave={may(
            field(
              (record) => record.kind,
              (typed) => ({ kind: typed as VideoLesson['kind'] }),
            ),
          )}
        />
        <Editable
          label={words.duration}
          value={typedMinutes(durationSec)}
          shown={durationSec !== null && words.minutes(minutesOf(durationSec))}
          kind="number"
          check={(typed) => {
            const minutes = numberOf(typed)
            return minutes === null || (minutes >= 0 && minutes <= MOST_MINUTES) ? undefined : words.wrongDuration
          }}
          onSave={may(
            field(
              (record) => typedMinutes(record.durationSec),
              (typed) => ({ durationSec: typed === '' ? null : (numberOf(typed) ?? 0) * SECONDS }),
            ),
          )}
        />
        <Editable
          label={words.previewAsk}
          value={String(isPreview)}
          shown={isPreview ? courses.yes : courses.no}
          options={[
            { id: 'true', label: courses.yes },
            { id: 'false', label: courses.no },
          ]}
          onSave={may(
            field(
              (record) => String(record.isPreview),
              (typed) => ({ isPreview: typed === 'true' }),
            ),
          )}
        />
      </Facts>
    </Section>
  )
}
