import { answer, api, type Schemas } from '../../api/client.ts'
import { useGet, usePages } from '../../api/queries.ts'
import { useMe } from '../../shell/me.tsx'

export type Curriculum = Schemas['Curriculum']
export type CourseSection = Curriculum['sections'][number]
export type VideoLesson = Schemas['Lesson']
export type Learner = Schemas['CourseProgress']

/** The sections and lessons of a course. @param courseId undefined: not known yet */
export const useCurriculum = (courseId: string | undefined) => {
  const { can } = useMe()
  return useGet(
    ['/courses', courseId, 'curriculum'],
    (signal) =>
      answer(api.GET('/courses/{courseId}/curriculum', { params: { path: { courseId: courseId ?? '' } }, signal })),
    { isOff: courseId === undefined || !can('curriculum.read') },
  )
}

export const useCurriculumSummary = (courseId: string, isOff: boolean) =>
  useGet(
    ['/courses', courseId, 'curriculum', 'summary'],
    (signal) => answer(api.GET('/courses/{courseId}/curriculum/summary', { params: { path: { courseId } }, signal })),
    { isOff },
  )

export const readLesson = (id: string, signal?: AbortSignal): Promise<VideoLesson> =>
  answer(api.GET('/lessons/{id}', { params: { path: { id } }, signal }))

export const useLesson = (id: string) => useGet(['/lessons', id], (signal) => readLesson(id, signal))

const LEARNERS = 50

/** Who has a course, and how far they are. */
export const useLearners = (courseId: string) =>
  usePages<Learner>(['/courses', courseId, 'progress'], (cursor, signal) =>
    answer(
      api.GET('/courses/{courseId}/progress', {
        params: { path: { courseId }, query: { limit: LEARNERS, ...(cursor && { cursor }) } },
        signal,
      }),
    ),
  )

/** Who has a course, for those who see nothing of its lessons. */
export const useGrants = (courseId: string) =>
  usePages<Schemas['ListedCourseEnrollment']>(['/courses', courseId, 'enrollments'], (cursor, signal) => {
    const query = { limit: LEARNERS, ...(cursor && { cursor }) }
    return answer(api.GET('/courses/{courseId}/enrollments', { params: { path: { courseId }, query }, signal }))
  })
