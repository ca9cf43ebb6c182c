import { answer, api, type Schemas } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { useMe } from '../../shell/me.tsx'

export interface Category {
  id: string
  name: string
}

/** A category stands under others: "Languages / Arabic". */
const flat = (nodes: readonly Schemas['CourseCategoryNode'][], above = ''): Category[] =>
  nodes.flatMap(({ id, name, children }) => [{ id, name: above + name }, ...flat(children, `${above}${name} / `)])

export const useCategories = () => {
  const { can } = useMe()
  return useGet(
    ['/course-categories'],
    async (signal) => flat(await answer(api.GET('/course-categories', { signal }))),
    { isOff: !can('courses.read') },
  )
}

export const readCourse = (id: string, signal?: AbortSignal): Promise<Schemas['Course']> =>
  answer(api.GET('/courses/{id}', { params: { path: { id } }, ...(signal && { signal }) }))
