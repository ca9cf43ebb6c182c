import type { Schemas } from '../../api/client.ts'
import type { Permission } from '../../shell/me.tsx'

/** Which page shows the record that a notification names, and who may open that page; the first that is there. */
const PLACES: readonly { id: string; below: string; needs: Permission }[] = [
  { id: 'sessionId', below: '/sessions', needs: 'attendance.read' },
  { id: 'leadId', below: '/leads', needs: 'leads.read' },
  { id: 'studentId', below: '/students', needs: 'students.read' },
  { id: 'groupId', below: '/groups', needs: 'groups.read' },
]

/** The address of what a notification is about; undefined: no page shows it to this person. */
export const placeOf = (
  { payload }: Pick<Schemas['Notification'], 'payload'>,
  can: (permission: Permission) => boolean,
): string | undefined => {
  const place = PLACES.find(({ id, needs }) => payload[id] !== undefined && can(needs))
  return place && `${place.below}/${payload[place.id] ?? ''}`
}
