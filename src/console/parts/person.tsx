import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Icon } from './icon.tsx'
import { PhoneNumber } from './phone.tsx'

/** The first letters of the first and the last name. Arabic letters that stand alone are wide: there it is one. */
const initialsOf = (fullName: string): string => {
  const names = fullName.trim().split(/\s+/)
  const [first = '', last = ''] = [names[0], names.slice(1).at(-1)].map(
    (name) => /[\p{L}\p{Nd}]/u.exec(name ?? '')?.[0],
  )
  return /\p{Script=Arabic}/u.test(first + last) ? first : first + last
}

export const Initials = ({ name, isLarge }: { name: string; isLarge?: boolean }) => (
  <span className={isLarge ? 'initials large' : 'initials'} aria-hidden="true">
    {initialsOf(name)}
  </span>
)

interface PersonRowProps {
  to: string
  name: string
  /** What tells people of one name apart. */
  about?: ReactNode
  /** At the end of the row: badges, figures. */
  end?: ReactNode
}

/** A person in a list, who leads to their page. */
export const PersonRow = ({ to, name, about, end }: PersonRowProps) => (
  <Link href={to} className="row">
    <Initials name={name} />
    <span className="grow">
      <bdi className="name">{name}</bdi>
      {about !== undefined && <span className="about">{about}</span>}
    </span>
    {end}
    <Icon name="forward" />
  </Link>
)

/** A phone number that calls. */
export const Phone = ({ number }: { number: string | null }) =>
  number !== null && (
    <a href={`tel:${number}`} className="phone">
      <Icon name="phone" />
      <PhoneNumber number={number} />
    </a>
  )

/** Calls a number that stands beside it. */
export const CallIcon = ({ number, label }: { number: string; label: string }) => (
  <a href={`tel:${number}`} className="icon-button" aria-label={label}>
    <Icon name="phone" />
  </a>
)
