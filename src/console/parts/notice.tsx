import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

export type Meaning = 'good' | 'warn' | 'bad' | 'info'

const ICONS: Readonly<Record<Meaning, IconName>> = { good: 'tick', warn: 'warning', bad: 'warning', info: 'bell' }

interface NoticeProps {
  meaning: Meaning
  icon?: IconName
  /** Whether a screen reader says it at once. */
  isAlert?: boolean
  children: ReactNode
}

/** A sentence that concerns the page, or a part of it. */
export const Notice = ({ meaning, icon = ICONS[meaning], isAlert, children }: NoticeProps) => (
  <div className={`notice ${meaning}`} role={isAlert ? 'alert' : 'status'}>
    <Icon name={icon} />
    {children}
  </div>
)

/** A word or two about a record. */
export const Badge = ({ meaning, icon, children }: { meaning?: Meaning; icon?: IconName; children: ReactNode }) => (
  <span className={meaning ? `badge ${meaning}` : 'badge'}>
    {icon && <Icon name={icon} />}
    {children}
  </span>
)

/** A list or a page with nothing on it: what that means, and what to do next. */
export const Empty = ({ children }: { children: ReactNode }) => <div className="empty">{children}</div>
