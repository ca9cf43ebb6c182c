import type { importLabels as english } from './en.ts'

type Labels = typeof english

/** What a field of a list is called: `birthDate`, or of a guardian beside the student `motherPhone`. */
export const fieldLabel = ({ fields, who, parts }: Labels, field: string): string => {
  const ofSomebody = Object.entries(who).find(
    ([slot]) => field.startsWith(slot) && Object.hasOwn(parts, field.slice(slot.length)),
  )
  if (!ofSomebody) return fields[field as keyof Labels['fields']] ?? field
  const [slot, named] = ofSomebody
  return `${named} – ${parts[field.slice(slot.length) as keyof Labels['parts']]}`
}
