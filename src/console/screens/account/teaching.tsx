import { useTeaches } from '../../records/staff/teaches.ts'
import { useTeaching } from '../../records/session/reads.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Section } from '../../parts/page.tsx'
import { useMe } from '../../shell/me.tsx'
import { useWords } from '../../words/language.tsx'

/** An owner who teaches says so: in a small school nobody else could say it. */
export const Teaching = () => {
  const { account } = useWords()
  const { user } = useMe()
  const { data } = useTeaching()
  const { isBusy, teach } = useTeaches({ ...user, userId: user.id, roles: [] })
  if (!data) return null
  return (
    <Section title={account.teaching.title}>
      <div className="card padded">
        <p className="small spaced">{data.staffId === null ? account.teaching.about : account.teaching.done}</p>
        <div className="actions">
          {data.staffId === null ? (
            <Button isBusy={isBusy} onPress={teach}>
              {account.teaching.verb}
            </Button>
          ) : (
            <ButtonLink to="/week">{account.teaching.toWeek}</ButtonLink>
          )}
        </div>
      </div>
    </Section>
  )
}
