import { Button } from './button.tsx'
import { Copied } from './copied.tsx'
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

/** The links of invitations, where no mailbox sends them: whoever invites gives them to each person. */
export const HandOver = ({ links, onClose }: HandOverProps) => {
  const { members: words, shell } = useWords()
  return (
    <>
      <Notice meaning="info" isAlert>
        <span className="grow">{words.handOver}</span>
      </Notice>
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
