import { Link } from 'wouter'
import type { Schemas } from '../../api/client.ts'
import type { Problem } from '../../api/problem.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { useMe } from '../../shell/me.tsx'
import { useWords } from '../../words/language.tsx'

type Recipient = Schemas['UnreachedPerson']
export type Untold = Pick<Schemas['Unreached'], 'recipient' | 'because' | 'canCall'>

/** Who was not reached, as the refusal of a message says it; undefined: it refuses something else. */
export const untoldOf = ({ reason, details }: Problem): Untold | undefined =>
  reason === 'nobody_reached' ? (details as Untold) : undefined

/** @returns undefined: their page takes no address */
const pathOf = ({ kind, id }: Recipient): string | undefined => {
  if (kind === 'guardian') return `/guardians/${id}`
  return kind === 'student' ? `/students/${id}` : undefined
}

/** The person whom no message reaches, whose record takes an address, and why. */
export const UntoldPerson = ({ untold: { recipient, because } }: { untold: Untold }) => {
  const { invoices: words } = useWords()
  const path = pathOf(recipient)
  const name = <bdi>{recipient.name}</bdi>
  return (
    <>
      {path === undefined ? (
        name
      ) : (
        <Link href={path} className="link">
          {name}
        </Link>
      )}
      <span className="report">{words.because[because]}</span>
    </>
  )
}

/** The way to those whom the office tells itself, where one of these is among them. */
export const ListedToCall = ({ untold }: { untold: readonly Untold[] }) => {
  const { calls } = useWords()
  const { can } = useMe()
  if (!can('notifications.send') || !untold.some(({ canCall }) => canCall)) return null
  return (
    <p className="chips spaced">
      <span>{calls.areListed}</span>
      <ButtonLink to="/messages/calls" icon="phone">
        {calls.see}
      </ButtonLink>
    </p>
  )
}

/** All whom no message reaches, each once. */
export const UntoldPeople = ({ untold }: { untold: readonly Untold[] }) => {
  const people = new Map(untold.map((one) => [one.recipient.id, one]))
  return (
    <ul className="card refused">
      {[...people.values()].map((one) => (
        <li key={one.recipient.id}>
          <div className="row">
            <span className="grow">
              <UntoldPerson untold={one} />
            </span>
          </div>
        </li>
      ))}
    </ul>
  )
}
