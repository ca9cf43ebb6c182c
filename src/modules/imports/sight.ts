import { actingUserId, type Caller } from '#kernel/who/actor.ts'
import { found, NotFound } from '#kernel/values/errors.ts'
import type { Permission } from '#kernel/rights/permissions.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { listOf, newestFirst, type Conditions } from '#runtime/records/lists.ts'
import { KINDS } from './kinds/all.ts'
import { toImport } from './service.ts'
import { findImport, type ImportRow } from './state.ts'
import { IMPORT_CONTENTS, type ImportContent, type ImportKind } from './tables.ts'

/*
 * An import keeps what stood in the rows that it refused. Who reads it needs what writing them needs: for the imports of
 * others in the whole institute, because rows may be of any branch.
 */

const permissionsFor = (content: ImportContent): Permission[] => {
  const [kind, hasGuardians] = content === 'families' ? (['students', true] as const) : ([content, false] as const)
  return ['students.write', ...KINDS[kind].needs({ has: () => hasGuardians }).map(({ permission }) => permission)]
}

/** Which imports with this content a caller sees. */
const sightOf = ({ grants }: Pick<Caller, 'grants'>, content: ImportContent): 'all' | 'own' | 'none' => {
  const needed = permissionsFor(content)
  if (!needed.every((permission) => grants.holds(permission))) return 'none'
  return needed.every((permission) => grants.reach(permission) === 'all') ? 'all' : 'own'
}

interface Asked {
  whole: ScopedDb
  caller: Caller
}

const contentIn = (eb: Conditions, contents: readonly ImportContent[]) =>
  eb.or([
    eb('import.content', 'in', contents),
    eb.and([eb('import.content', 'is', null), eb('import.kind', 'in', contents as ImportKind[])]),
  ])

const all = listOf({
  filters: {
    kind: 'import.kind',
    content: contentIn,
    /** Whose own imports are seen, and with which content those of others. */
    mine: (eb, [userId, ...ofOthers]: string[]) =>
      ofOthers.length === 0
        ? eb('import.requested_by_user_id', '=', userId as string)
        : eb.or([eb('import.requested_by_user_id', '=', userId as string), contentIn(eb, ofOthers as ImportContent[])]),
  },
  from: (whole: ScopedDb) => whole.selectFrom('import').selectAll('import'),
  order: newestFirst('import'),
  show: toImport,
})

/** Newest first: those that the caller sees. */
export const listImports = (
  context: Asked &
    Pick<Parameters<typeof all>[0], 'cursors'> & {
      query: Omit<Parameters<typeof all>[0]['query'], 'content' | 'mine'>
    },
) => {
  const { caller, whole, cursors, query } = context
  const of = (...wanted: string[]) => IMPORT_CONTENTS.filter((content) => wanted.includes(sightOf(caller, content)))
  const [seen, ofOthers] = [of('all', 'own'), of('all')]
  const isLimited = seen.length > ofOthers.length
  return all({
    db: whole,
    cursors,
    query: {
      ...query,
      content: seen.length < IMPORT_CONTENTS.length ? seen : undefined,
      mine: isLimited ? [actingUserId(caller.actor) ?? caller.id, ...ofOthers] : undefined,
    },
  })
}

/** @returns the row, where the caller sees the import @throws NotFound */
export const checkSeen = (caller: Caller, row: ImportRow | undefined): ImportRow => {
  const { content, kind, requested_by_user_id: asker } = found(row)
  const sight = sightOf(caller, content ?? kind)
  const isOwn = asker !== null && asker === actingUserId(caller.actor)
  if (sight === 'none' || (sight === 'own' && !isOwn)) throw NotFound()
  return row as ImportRow
}

/** @throws NotFound */
export const reachedImport = async ({ whole, caller }: Asked, id: string): Promise<ImportRow> =>
  checkSeen(caller, await findImport(whole, id))
