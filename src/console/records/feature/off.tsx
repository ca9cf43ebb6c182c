import { answer, api } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import type { IconName } from '../../parts/icon.tsx'
import { Notice } from '../../parts/notice.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { isOwner } from '../../shell/is-owner.ts'
import { useMe } from '../../shell/me.tsx'
import type { Feature } from './reads.ts'

interface FeatureOffProps {
  feature: Feature
  icon: IconName
  /** That the institute does not have it, who can switch it on, and the verb for that. */
  words: { off: string; offHint: string; switchOn: string }
}

/** Says that the institute does not have a feature, and who can switch it on. */
export const FeatureOff = ({ feature, icon, words }: FeatureOffProps) => {
  const me = useMe()
  const turn = useChange('feature', () => answer(api.PATCH('/feature-flags', { body: { [feature]: true } })))
  return (
    <>
      <Notice meaning="info" icon={icon}>
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
