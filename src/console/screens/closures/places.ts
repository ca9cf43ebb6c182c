import { useMe } from '../../shell/me.tsx'
import { useBranches } from '../../shell/branches.ts'
import { useWords } from '../../words/language.tsx'
import type { Closure } from './reads.ts'

const EVERYWHERE = 'all'

/** Where the reader may close: all branches together, or some of them. */
export const usePlaces = () => {
  const { placesOf } = useMe()
  const { closures: words } = useWords()
  const branches = useBranches().data ?? []
  const held = placesOf('groups.write')
  const isOwn = (branchId: string | null) => held === 'all' || (branchId !== null && held.includes(branchId))
  return {
    options: [
      ...(held === 'all' ? [{ id: EVERYWHERE, label: words.everywhere }] : []),
      ...branches.filter(({ id }) => isOwn(id)).map(({ id, name }) => ({ id, label: name })),
    ],
    /** What stands chosen at first. */
    first: held === 'all' ? EVERYWHERE : (held[0] ?? null),
    mayClose: held === 'all' || held.length > 0,
    mayChange: ({ branchId }: Closure) => isOwn(branchId),
  }
}

/** How a place is chosen that has a branch, or none. */
export const placeOf = ({ branchId }: Closure): string => branchId ?? EVERYWHERE
export const branchOf = (place: string | null): string | null => (place === EVERYWHERE ? null : place)
