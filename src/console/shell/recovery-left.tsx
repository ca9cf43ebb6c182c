import { useLocation } from 'wouter'
import { forgetRecoveryLeft, useRecoveryLeft } from '../api/session.ts'
import { Button } from '../parts/button.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { useWords } from '../words/language.tsx'

/** Then new ones are offered: the next phone that is lost may be near. */
const FEW = 2

/** Tells whoever signed in with a recovery code how many they have left. */
export const RecoveryLeft = () => {
  const { factor: words, shell } = useWords()
  const left = useRecoveryLeft()
  const [, go] = useLocation()
  if (left === undefined) return null
  const isFew = left <= FEW
  return (
    <Sheet title={words.usedTitle} isOpen onClose={forgetRecoveryLeft}>
      <p>{left === 0 ? words.noCodesLeft : words.codesLeft(left)}</p>
      <p className="soft">{isFew ? words.usedFew : words.usedText}</p>
      <div className="actions">
        <Button onPress={forgetRecoveryLeft}>{shell.close}</Button>
        {isFew && (
          <Button
            look="primary"
            onPress={() => {
              forgetRecoveryLeft()
              go('/account')
            }}
          >
            {words.make}
          </Button>
        )}
      </div>
    </Sheet>
  )
}
