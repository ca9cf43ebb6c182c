import { SCREENS, type Path, type Screen } from '../map.ts'
import type { Schemas } from '../api/schemas.ts'
import type { Words } from '../words/words.ts'
import { isOwner } from './is-owner.ts'

/** Who is signed in, as far as it matters here. */
interface Me {
  can: (...permissions: Schemas['Permission'][]) => boolean
  membership: Pick<Schemas['MembershipSummary'], 'roles'>
}

export interface RailItem {
  to: Path
  icon: NonNullable<Screen['rail'] | Screen['platformRail']>['icon']
  label: string
}

const BY_PATH: ReadonlyMap<Path, Screen> = new Map(SCREENS.map((screen) => [screen.path, screen]))

const hasRole = ({ membership }: Me, ...keys: string[]): boolean =>
  membership.roles.some(({ roleKey }) => roleKey !== null && keys.includes(roleKey))

/** Whether this person may open the screen. */
export const mayOpen = (path: Path, me: Me): boolean => {
  const { needs, isForOwner, isForPlatform } = BY_PATH.get(path) as Screen
  return !isForPlatform && (!needs || me.can(...needs)) && (!isForOwner || isOwner(me))
}

/** Whether somebody is here as a student or as the guardian of one, whatever else they are. */
export const isOfFamily = (me: Me): boolean => hasRole(me, 'guardian', 'student')

/** What a place is called for this person: a student has a page of their own, and no children. */
const labelOf = ({ shell: { nav } }: Words, label: NonNullable<Screen['rail']>['label'], me: Me): string =>
  label === 'children' && !hasRole(me, 'guardian') ? nav.mine : nav[label]

/** The places that this person may use, in the order of the rail. */
export const placesOf = (words: Words, me: Me): RailItem[] =>
  SCREENS.flatMap(({ path, rail }) =>
    rail && mayOpen(path, me) && (!('isForFamily' in rail) || isOfFamily(me))
      ? [{ to: path, icon: rail.icon, label: labelOf(words, rail.label, me) }]
      : [],
  )

/** Those of the vendor. */
export const platformPlaces = ({ platform }: Words): RailItem[] =>
  SCREENS.flatMap(({ path, platformRail }) =>
    platformRail ? [{ to: path, icon: platformRail.icon, label: platform.nav[platformRail.label] }] : [],
  )

/** The first page of whoever manages the platform. */
export const PLATFORM_HOME: Path = '/platform/institutes'

/** Whether an address is of the platform. */
export const isOfPlatform = (path: Path): boolean => BY_PATH.get(path)?.isForPlatform === true

const wordsOf = (address: string): string[] => address.split('/').filter(Boolean)

const fits = (path: Path, address: string): boolean => {
  const [named, said] = [wordsOf(path), wordsOf(address)]
  return named.length === said.length && named.every((word, at) => word.startsWith(':') || word === said[at])
}

/** The place in the rail below which an address lies. */
const placeOf = (address: string): Path | undefined => {
  let screen = SCREENS.find(({ path }) => fits(path, address))
  while (screen && !screen.rail && !screen.platformRail) screen = screen.parent && BY_PATH.get(screen.parent)
  return screen?.path
}

/** Whether an address lies below this place. */
export const isHere = (address: string, place: string): boolean => placeOf(address) === place
