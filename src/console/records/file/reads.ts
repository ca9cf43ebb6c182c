import { answer, api, type Schemas } from '../../api/client.ts'
import { usePages } from '../../api/queries.ts'

/** With an address from which it can be had now. */
export const readFile = (id: string, signal?: AbortSignal): Promise<Schemas['File']> =>
  answer(api.GET('/files/{id}', { params: { path: { id } }, signal }))

/** The record that files are attached to. */
export interface FilesOf {
  of: 'student' | 'guardian' | 'group' | 'session' | 'exam'
  id: string
}

const AT_ONCE = 20

/** The files of a record, the newest first. */
export const useFilesOf = ({ of, id }: FilesOf) =>
  usePages<Schemas['File']>(['/files/of', of, id], (cursor, signal) => {
    const params = { path: { entityType: of, id }, query: { limit: AT_ONCE, ...(cursor && { cursor }) } }
    return answer(api.GET('/files/of/{entityType}/{id}', { params, signal }))
  })
