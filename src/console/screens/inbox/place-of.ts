import type { Schemas } from '../../api/client.ts'
import type { Path } from '../../map.ts'
import { mayOpen } from '../../shell/navigation.ts'

/** Which page shows the record that a notification names; the first that is there. */
const PLACES: readonly { id: string; path: Path }[] = [
  { id: 'sessionId', path: '/sessions/:id' },
  { id: 'leadId', path: '/leads/:id' },
  { id: 'studentId', path: '/students/:id' },
  { id: 'groupId', path: '/groups/:id' },
]

/** The address of what a notification is about; undefined: no page shows it to this person. */
export const placeOf = (
  { payload }: Pick<Schemas['Notification'], 'payload'>,
  me: Parameters<typeof mayOpen>[1],
): string | undefined => {
  const place = PLACES.find(({ id, path }) => payload[id] !== undefined && mayOpen(path, me))
  return place?.path.replace(':id', String(payload[place.id]))
}
