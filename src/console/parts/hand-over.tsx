import { answer, api } from '../api/client.ts'
import { useGet } from '../api/queries.ts'
import { Button } from './button.tsx'
import { Copied } from './copied.tsx'
import { isLoopback, linkForOthers } from './link-for-others.ts'
import { Notice } from './notice.tsx'
import { Sheet } from './sheet.tsx'
import { useWords } from '../words/language.tsx'

/** The link of an invitation that no mail takes, for somebody. */
export interface Handed {
  name: string
  link: string
}

interface HandOverProps {
  links: readonly Handed[]
  onClose: () => void
}

/** The links as others can open them, and whether one of them opens here alone. */
const useLinksForOthers = (handed: readonly Handed[]) => {
  const opened = location.origin
  const isAlone = handed.some(({ link }) => isLoopback(new URL(link).origin))
  // The server tells its owner; in the cloud it is not there.
  const address = useGet(['/server/address'], (signal) => answer(api.GET('/server/address', { signal })), {
    isOff: !isAlone || !isLoopback(opened),
  })
  const links = handed.map(({ name, link }) => ({ name, ...linkForOthers(link, opened, address.data?.here ?? []) }))
  return { links, isHereAlone: !address.isLoading && links.some((one) => one.isHereAlone) }
}

/** The links of invitations, where no mailbox sends them: whoever invites gives them to each person. */
export const HandOver = ({ links: handed, onClose }: HandOverProps) => {
  const { members: words, shell } = useWords()
  const { links, isHereAlone } = useLinksForOthers(handed)
  return (
    <>
      <Notice meaning="info" isAlert>
        <span className="grow">{words.handOver}</span>
      </Notice>
      {isHereAlone && (
        <Notice meaning="warn">
          <span className="grow">{words.linkHereAlone}</span>
        </Notice>
      )}
      {links.map(({ name, link }) => (
        <Copied key={link} label={words.linkOf(name)} text={link} isShared />
      ))}
      <div className="actions">
        <Button look="primary" onPress={onClose}>
          {shell.close}
        </Button>
      </div>
    </>
  )
}

/** The same where nothing else is open. */
export const HandOverSheet = ({ links, onClose }: HandOverProps) => {
  const { members: words } = useWords()
  return (
    <Sheet title={words.handOverTitle} isOpen={links.length > 0} isBroad onClose={onClose}>
      <HandOver links={links} onClose={onClose} />
    </Sheet>
  )
}
