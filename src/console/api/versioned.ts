import { Problem } from './problem.ts'
import { afterChange, queryClient } from './queries.ts'
import type { Change } from './stale.ts'

interface Edited<R, C> {
  /** Under which the record is kept. */
  key: readonly [path: string, ...rest: unknown[]]
  change: Change
  read: () => Promise<R>
  /** @param version undefined: the record has none */
  send: (changes: C, version: number | undefined) => Promise<R>
}

/** Saves what was typed. @param started the value that was there when the typing began */
export type SaveField = (typed: string, started: string) => Promise<void>

export const isConflict = (error: unknown): boolean => error instanceof Problem && error.code === 'VERSION_CONFLICT'

/**
 * Changes one field of a record at a time. When somebody else changed another field meanwhile, both changes stand.
 * @returns a function that makes the saving of one field; that throws a Problem, a conflict where somebody else changed
 *   the same field
 */
export const fieldsOf =
  <R extends { version?: number }, C>({ key, change, read, send }: Edited<R, C>) =>
  (valueOf: (record: R) => string, changesOf: (typed: string, record: R) => C): SaveField =>
  async (typed, started) => {
    const readNow = () => queryClient.fetchQuery({ queryKey: key, queryFn: read, staleTime: 0 })
    const save = async (record: R): Promise<R> => {
      if (valueOf(record) !== started) throw new Problem(409, { code: 'VERSION_CONFLICT' })
      return send(changesOf(typed, record), record.version)
    }
    const known = queryClient.getQueryData<R>(key)
    // Without a version the server would not notice.
    const record = known?.version === undefined ? await readNow() : known
    const saved = await save(record).catch(async (error: unknown) => {
      if (!isConflict(error)) throw error
      return save(await readNow())
    })
    queryClient.setQueryData(key, saved)
    void afterChange(change)
  }
