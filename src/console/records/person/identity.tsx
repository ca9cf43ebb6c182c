import { BOUNDS } from '../../api/bounds.ts'
import type { Schemas } from '../../api/client.ts'
import type { SaveField } from '../../api/versioned.ts'
import { Editable } from '../../parts/editable.tsx'
import { useWords } from '../../words/language.tsx'

interface Identified {
  nationalId: string | null
  address: Schemas['Address'] | null
}

interface IdentityProps {
  person: Identified
  /** How one field of this person is saved; undefined: the reader may not change it. */
  field: (
    valueOf: (person: Identified) => string,
    changesOf: (typed: string, person: Identified) => Partial<Identified>,
  ) => SaveField | undefined
}

/** The address with one of its parts changed; null where no part is left. */
export const withPart = (
  address: Identified['address'],
  part: 'line1' | 'city',
  typed: string,
): Identified['address'] => {
  const { [part]: _former, ...others } = address ?? {}
  const changed = typed === '' ? others : { ...others, [part]: typed }
  return Object.keys(changed).length === 0 ? null : changed
}

/** Who a person is to authorities and on papers: the number of the identity card, and where they live. */
export const Identity = ({ person, field }: IdentityProps) => {
  const { register, branches } = useWords()
  return (
    <>
      <Editable
        label={register.nationalId}
        value={person.nationalId ?? ''}
        bound={BOUNDS.StudentChanges.nationalId}
        shown={<span className="ltr">{person.nationalId}</span>}
        onSave={field(
          ({ nationalId }) => nationalId ?? '',
          (typed) => ({ nationalId: typed || null }),
        )}
      />
      <Editable
        label={branches.street}
        value={person.address?.line1 ?? ''}
        bound={BOUNDS.Address.line1}
        onSave={field(
          ({ address }) => address?.line1 ?? '',
          (typed, { address }) => ({ address: withPart(address, 'line1', typed) }),
        )}
      />
      <Editable
        label={branches.city}
        value={person.address?.city ?? ''}
        bound={BOUNDS.Address.city}
        onSave={field(
          ({ address }) => address?.city ?? '',
          (typed, { address }) => ({ address: withPart(address, 'city', typed) }),
        )}
      />
    </>
  )
}
