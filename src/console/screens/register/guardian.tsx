import { BOUNDS } from '../../api/bounds.ts'
import type { Schemas } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Segments } from '../../parts/choose.tsx'
import { Field } from '../../parts/field.tsx'
import { Section } from '../../parts/page.tsx'
import { Initials } from '../../parts/person.tsx'
import { usePhoneText } from '../../parts/phone.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { LOCALES } from '../../../shared/locale.ts'
import { OWN_NAMES } from '../../words/locale.ts'
import { useFamily } from '../../records/guardian/reads.ts'
import { ownerOf, useDraft, type Draft } from './draft.ts'
import type { Rehearsal } from './rehearsal.ts'
import { isOffered, knownOf, RELATIONS, type Typed } from './typed.ts'
import type { FaultOf } from './use-faults.ts'

interface PieceProps {
  draft: Draft
  faultOf: FaultOf
}

/** The phone comes first: whoever is known already is found by it, and linked. */
export const GuardianPart = ({ draft, rehearsal, faultOf }: PieceProps & { rehearsal: Rehearsal | undefined }) => {
  const { register: words } = useWords()
  const { typed, isTried } = useDraft(draft)
  const { guardian, known, isWithoutGuardian } = typed
  const owner = ownerOf(typed, rehearsal)
  const isOpen = !isWithoutGuardian && known === null
  return (
    <Section
      title={words.guardian}
      actions={
        isOpen && (
          <Button look="quiet" onPress={() => draft.type({ isWithoutGuardian: true })}>
            {words.withoutGuardian}
          </Button>
        )
      }
    >
      <div className="card padded">
        {isWithoutGuardian ? (
          <div className="between">
            <span>{words.noGuardian}</span>
            <Button onPress={() => draft.type({ isWithoutGuardian: false })}>{words.withGuardian}</Button>
          </div>
        ) : isOpen ? (
          <>
            {/* Enter leads to the question, and once more answers it. */}
            {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
            <div
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || !owner) return
                event.preventDefault()
                event.currentTarget.parentElement?.querySelector<HTMLElement>('.found-person button')?.focus()
              }}
            >
              <Field
                label={words.guardianPhone}
                hint={words.guardianPhoneHint}
                error={faultOf('guardian.phone', guardian.phone) ?? (owner && isTried ? words.sayIfIt : undefined)}
                value={guardian.phone}
                onChange={(phone) => draft.type({ guardian: { ...guardian, phone } })}
                type="tel"
                isLtr
                autoFocus
              />
            </div>
            {owner ? <IsItThem key={owner.id} draft={draft} owner={owner} /> : <NewGuardian {...{ draft, faultOf }} />}
          </>
        ) : (
          <KnownRow draft={draft} />
        )}
        {!isWithoutGuardian && !isOpen && <Relation {...{ draft, faultOf }} />}
      </div>
    </Section>
  )
}

const IsItThem = ({ draft, owner }: { draft: Draft; owner: Schemas['KnownGuardian'] }) => {
  const { register: words } = useWords()
  const format = useFormat()
  const known = knownOf(owner)
  const children = useFamily(owner.id).data?.children ?? []
  const first = children[0]
  const names = format.list(children.map(({ fullName }) => fullName))
  const agree = () => {
    const { student, relationship } = draft.get().typed
    const same = children.find(({ relationship: one }) => isOffered(one))
    draft.type({
      known,
      relationship: relationship ?? same?.relationship ?? null,
      student: { ...student, lastName: student.lastName || owner.lastName },
    })
  }
  return (
    <div className="found-person" role="status">
      <Initials name={known.name} />
      <span className="grow">
        <strong>{words.isIt(known.name)}</strong>
        <span className="about">{first && words.relatedTo[first.relationship](names)}</span>
      </span>
      <Button look="primary" onPress={agree}>
        {words.yes}
      </Button>
      <p className="hint">{words.notIt}</p>
    </div>
  )
}

const KnownRow = ({ draft }: { draft: Draft }) => {
  const { register: words } = useWords()
  const phoneText = usePhoneText()
  const { known } = useDraft(draft).typed
  if (!known) return null
  return (
    <div className="found-person">
      <Initials name={known.name} />
      <span className="grow">
        <bdi className="name">{known.name}</bdi>
        <span className="about ltr-text">{phoneText(known.phone)}</span>
      </span>
      {known.id !== null && (
        <Button look="quiet" onPress={() => draft.type({ known: null })}>
          {words.another}
        </Button>
      )}
    </div>
  )
}

const NewGuardian = ({ draft, faultOf }: PieceProps) => {
  const { register: words, people } = useWords()
  const { guardian } = useDraft(draft).typed
  const set = (changes: Partial<Typed['guardian']>) => draft.type({ guardian: { ...guardian, ...changes } })
  const { student } = draft.get().typed
  return (
    <>
      <div className="fields">
        <Field
          label={people.firstName}
          value={guardian.firstName}
          onChange={(firstName) => set({ firstName })}
          error={faultOf('guardian.firstName', guardian.firstName)}
          maxLength={BOUNDS.RegistrationGuardian.firstName.maxLength}
        />
        <Field
          label={people.lastName}
          value={guardian.lastName}
          onChange={(lastName) => {
            // Most children have the name of the family.
            const isSame = student.lastName === guardian.lastName
            set({ lastName })
            if (isSame) draft.type({ student: { ...student, lastName } })
          }}
          error={faultOf('guardian.lastName', guardian.lastName)}
          maxLength={BOUNDS.RegistrationGuardian.lastName.maxLength}
        />
      </div>
      <Relation {...{ draft, faultOf }} />
      <div className="fields">
        <Field
          label={people.email}
          value={guardian.email}
          onChange={(email) => set({ email })}
          error={faultOf('guardian.email', guardian.email)}
          type="email"
          isLtr
          isOptional
        />
        <Segments
          label={words.language}
          value={guardian.locale}
          onChange={(locale) => set({ locale })}
          options={LOCALES.map((id) => ({ id, label: OWN_NAMES[id] }))}
        />
      </div>
    </>
  )
}

const Relation = ({ draft, faultOf }: PieceProps) => {
  const { register: words } = useWords()
  const { relationship } = useDraft(draft).typed
  return (
    <Segments
      label={words.relation}
      error={faultOf('relationship', relationship)}
      value={relationship as (typeof RELATIONS)[number] | null}
      onChange={(chosen) => draft.type({ relationship: chosen })}
      options={RELATIONS.map((id) => ({ id, label: words.relations[id] }))}
    />
  )
}
