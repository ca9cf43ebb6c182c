import { answer, api, type Query, type Schemas } from '../../api/client.ts'
import { useGet, usePages } from '../../api/queries.ts'
import type { RecordSource } from '../../parts/record-choice.tsx'
import { useMe } from '../../shell/me.tsx'

export const readCourses = (query: Query<'/courses'>, signal?: AbortSignal): Promise<Schemas['CoursePage']> =>
  answer(api.GET('/courses', { params: { query }, signal }))

export const useCoursePages = (query: Query<'/courses'>) =>
  usePages(['/courses', 'list', query], (cursor, signal) => readCourses({ ...query, cursor, limit: 50 }, signal))

/** The active courses, to choose from. */
export const useCourseSource = (): RecordSource<Schemas['Course']> => {
  const { can } = useMe()
  return {
    key: ['/courses', 'active'],
    read: (q, signal) => readCourses({ isActive: true, limit: 50, ...(q !== '' && { q }) }, signal),
    optionOf: ({ id, name }) => ({ id, label: name }),
    isOff: !can('courses.read'),
  }
}

export const readCourse = (id: string, signal?: AbortSignal): Promise<Schemas['Course']> =>
  answer(api.GET('/courses/{id}', { params: { path: { id } }, signal }))

/** @param id null: none */
export const useCourse = (id: string | null) => {
  const { can } = useMe()
  return useGet(['/courses', id], (signal) => readCourse(id ?? '', signal), {
    isOff: id === null || !can('courses.read'),
  })
}

export interface Category {
  id: string
  name: string
  /** Whether it is offered for new courses. */
  isActive: boolean
}

/** A category stands under others: "Languages / Arabic". */
const flat = (nodes: readonly Schemas['CourseCategoryNode'][], above = ''): Category[] =>
  nodes.flatMap(({ id, name, isActive, children }) => [
    { id, name: above + name, isActive },
    ...flat(children, `${above}${name} / `),
  ])

export const useCategories = () => {
  const { can } = useMe()
  return useGet(
    ['/course-categories'],
    async (signal) => flat(await answer(api.GET('/course-categories', { signal }))),
    { isOff: !can('courses.read') },
  )
}
