import { useState } from 'react'
import { answer, api } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import type { MenuEntry } from '../../parts/menu.tsx'
import { explain } from '../../parts/problem-notice.tsx'
import { Confirm } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import type { VideoLesson } from '../../records/curriculum/reads.ts'
import { useWords } from '../../words/language.tsx'

/** Whether students would open the lesson to watch, and find nothing. */
export const lacksVideo = ({ kind, video }: VideoLesson): boolean => kind === 'video' && video === null

/** What is done with a lesson in its row and on its page: showing it to students, hiding it, deleting it. */
export const useLessonWork = (lesson: VideoLesson, onDeleted?: () => void) => {
  const everything = useWords()
  const { curriculum: words } = everything
  const [asked, setAsked] = useState<'publish' | 'delete'>()
  const { id, title } = lesson
  const publish = useChange('curriculum', (lessonId: string, header) =>
    answer(api.POST('/lessons/{id}/publish', { params: { path: { id: lessonId }, header } })),
  )
  const unpublish = useChange('curriculum', (lessonId: string, header) =>
    answer(api.POST('/lessons/{id}/unpublish', { params: { path: { id: lessonId }, header } })),
  )
  const remove = useChange('curriculum', (lessonId: string) =>
    answer(api.DELETE('/lessons/{id}', { params: { path: { id: lessonId } } })),
  )
  const publishNow = async () => {
    await publish.mutateAsync(id)
    toast(words.publishedNow(title))
  }
  const hideNow = async () => {
    await unpublish.mutateAsync(id)
    toast(words.unpublishedNow(title))
  }
  const saying = (work: Promise<unknown>) => {
    void work.catch((error: unknown) => toast(explain(everything, error)))
  }
  const close = () => setAsked(undefined)
  const removal: MenuEntry = {
    id: 'delete',
    label: words.deleteLesson,
    isDangerous: true,
    startsGroup: true,
    onSelect: () => setAsked('delete'),
  }
  return {
    isBusy: publish.isPending || unpublish.isPending,
    publish: () => (lacksVideo(lesson) ? setAsked('publish') : saying(publishNow())),
    unpublish: () => saying(hideNow()),
    removal,
    questions: (
      <>
        <Confirm
          title={words.publishEmptyAsk(title)}
          verb={words.publishAnyway}
          isOpen={asked === 'publish'}
          onClose={close}
          onConfirm={publishNow}
        >
          <p>{words.publishEmptyText}</p>
        </Confirm>
        <Confirm
          title={words.deleteLessonAsk(title)}
          verb={words.deleteLesson}
          isDangerous
          isOpen={asked === 'delete'}
          onClose={close}
          onConfirm={async () => {
            await remove.mutateAsync(id)
            toast(words.deleted(title))
            onDeleted?.()
          }}
        >
          <p>{words.deleteLessonText}</p>
        </Confirm>
      </>
    ),
  }
}
