import { useSyncExternalStore } from 'react'
import { reachability } from '../api/client.ts'
import { Notice } from '../parts/notice.tsx'
import { useWords } from './language.tsx'
import { useMe } from './me.tsx'

/** What concerns every page: no connection, a subscription that has ended. */
export const Notices = () => {
  const { shell } = useWords()
  const { institute } = useMe()
  const isReachable = useSyncExternalStore(reachability.subscribe, reachability.get)
  return (
    <div className="notices">
      {!isReachable && (
        <Notice meaning="warn" icon="offline">
          <span className="grow">{shell.offline}</span>
        </Notice>
      )}
      {institute.isReadOnly && (
        <Notice meaning="warn">
          <span className="grow">{shell.readOnly}</span>
        </Notice>
      )}
    </div>
  )
}
