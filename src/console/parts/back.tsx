import { Link } from 'wouter'
import { Icon } from './icon.tsx'

/** Leads to the page above this one. */
export const Back = ({ to, label }: { to: string; label: string }) => (
  <p className="back">
    <Link href={to} className="link">
      <Icon name="back" />
      {label}
    </Link>
  </p>
)
