import { useState } from 'react'
import { answer, api } from '../../api/client.ts'
import { useIntents } from '../../api/intents/use-intents.ts'
import { afterChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty, Notice } from '../../parts/notice.tsx'
import { explain } from '../../parts/problem-notice.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { HandOver, type Handed } from '../../parts/hand-over.tsx'
import { useAccounts, type Account } from '../../records/guardian/account.tsx'

interface InviteFamiliesProps {
  group: { id: string; name: string }
  onClose: () => void
}

/** Invites the families of a group to accounts of their own: those with an address who have none yet. */
export const InviteFamilies = ({ group, onClose }: InviteFamiliesProps) => {
  const { family } = useWords()
  const accounts = useAccounts({ groupId: group.id })
  return (
    <Sheet title={family.inviteGroup(group.name)} isOpen isBroad onClose={onClose}>
      <Loaded query={accounts}>{(all) => <Listed accounts={all} onClose={onClose} />}</Loaded>
    </Sheet>
  )
}

const Listed = ({ accounts, onClose }: { accounts: readonly Account[]; onClose: () => void }) => {
  const words = useWords()
  const { family, members, shell } = words
  const format = useFormat()
  const { institute } = useMe()
  const intents = useIntents()
  const [isBusy, setBusy] = useState(false)
  const [links, setLinks] = useState<readonly Handed[]>([])
  const [failed, setFailed] = useState<readonly { id: string; name: string; why: string }[]>([])
  const having = (state: Account['account']) => accounts.filter(({ account }) => account === state)
  const invited = having('none').filter(({ email }) => email !== null)
  const without = having('none').filter(({ email }) => email === null)
  const send = async () => {
    setBusy(true)
    const refused: { id: string; name: string; why: string }[] = []
    const given: Handed[] = []
    for (const { id, fullName } of invited) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, as the pace of invitations is counted
      await intents
        .of(id)
        .once({}, (header) =>
          answer(api.POST('/guardians/{id}/invite', { params: { path: { id }, header }, body: {} })),
        )
        .then(
          ({ link }) => link !== null && given.push({ name: fullName, link }),
          (error: unknown) => refused.push({ id, name: fullName, why: explain(words, error) }),
        )
    }
    await afterChange('member')
    setBusy(false)
    setFailed(refused)
    const sent = invited.length - refused.length
    if (sent > given.length) toast(institute.sendsMail ? members.sent(sent) : members.notSent(sent))
    setLinks(given)
    if (refused.length + given.length === 0) onClose()
  }
  if (links.length > 0) return <HandOver links={links} onClose={failed.length === 0 ? onClose : () => setLinks([])} />
  const facts = [
    { id: 'active', text: family.accountsThere(having('active').length), count: having('active').length },
    { id: 'invited', text: family.accountsInvited(having('invited').length), count: having('invited').length },
  ].filter(({ count }) => count > 0)
  return (
    <>
      <p className="soft spaced">
        {family.inviteAbout}
        {institute.sendsMail && ` ${family.inviteSends}`}
      </p>
      {!institute.sendsMail && invited.length > 0 && <Notice meaning="warn">{members.noMail}</Notice>}
      {failed.map(({ id, name, why }) => (
        <Notice key={id} meaning="bad" isAlert>
          <span className="grow">{members.failedFor(name, why)}</span>
        </Notice>
      ))}
      {facts.map(({ id, text }) => (
        <p key={id} className="spaced">
          {text}
        </p>
      ))}
      {without.length > 0 && (
        <Notice meaning="info">
          <span className="grow">{family.withoutAddress(format.list(without.map(({ fullName }) => fullName)))}</span>
        </Notice>
      )}
      <div className="card">
        {invited.length === 0 ? (
          <Empty>{family.nobodyToInvite}</Empty>
        ) : (
          <ul>
            {invited.map(({ id, fullName, email }) => (
              <li key={id}>
                <div className="row">
                  <span className="grow">
                    <bdi className="name">{fullName}</bdi>
                    <span className="about ltr-text">{email}</span>
                  </span>
                </div>
              </li>
            ))}
          </ul>
        )}
      </div>
      <div className="actions">
        <Button onPress={onClose}>{shell.close}</Button>
        {invited.length > 0 && (
          <Button look="primary" isBusy={isBusy} onPress={() => void send()}>
            {institute.sendsMail ? members.send(invited.length) : members.record}
          </Button>
        )}
      </div>
    </>
  )
}
