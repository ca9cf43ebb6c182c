import { answer, api } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Copied } from '../../parts/copied.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

/** Makes the text that opens a server without a network. It is shown this once. */
export const UnlockToken = ({ licenseId, onClose }: { licenseId: string; onClose: () => void }) => {
  const { licenses: words, shell } = useWords()
  const format = useFormat()
  const make = useChange('license', (_: void, header) =>
    answer(api.POST('/platform/licenses/{licenseId}/unlock-token', { params: { path: { licenseId }, header } })),
  )
  return (
    <Sheet title={words.unlockToken} isOpen isFirm={make.data !== undefined} onClose={onClose}>
      <p>{words.unlockTokenText}</p>
      {make.error && <ProblemNotice problem={make.error} />}
      {make.data ? (
        <>
          <Copied
            label={words.unlockTokenTitle}
            hint={words.unlockTokenUntil(format.moment(make.data.expiresAt))}
            text={make.data.token}
          />
          <div className="actions">
            <Button look="primary" onPress={onClose}>
              {shell.close}
            </Button>
          </div>
        </>
      ) : (
        <div className="actions">
          <Button onPress={onClose}>{shell.leaveIt}</Button>
          <Button look="primary" isBusy={make.isPending} onPress={() => make.mutate()}>
            {words.unlockTokenMake}
          </Button>
        </div>
      )}
    </Sheet>
  )
}
