import { answer, api } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { isOwner } from '../../shell/is-owner.ts'
import { useMe } from '../../shell/me.tsx'
import { useWords } from '../../words/language.tsx'

/** Says that the institute has no reports, and who can switch them on. */
export const Off = () => {
  const { reporting: words } = useWords()
  const me = useMe()
  const turn = useChange('feature', () => answer(api.PATCH('/feature-flags', { body: { advanced_reports: true } })))
  return (
    <>
      <Notice meaning="info" icon="chart">
        <span className="grow">
          {words.off} {!isOwner(me) && words.offHint}
        </span>
        {isOwner(me) && (
          <Button isBusy={turn.isPending} onPress={() => turn.mutate(undefined)}>
            {words.switchOn}
          </Button>
        )}
      </Notice>
      {turn.error && <ProblemNotice problem={turn.error} />}
    </>
  )
}
