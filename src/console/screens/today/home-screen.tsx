import { Button } from '../../parts/button.tsx'
import { leaveHomeScreen, putOnHomeScreen, useHomeScreen } from '../../shell/home-screen.ts'
import { useMe } from '../../shell/me.tsx'
import { useWords } from '../../words/language.tsx'

/** Tells a family on a phone, once, how the school gets on its home screen. */
export const HomeScreen = () => {
  const { own: words, shell } = useWords()
  const { institute } = useMe()
  const how = useHomeScreen()
  if (how === undefined) return null
  return (
    <aside className="card row" aria-label={words.homeScreen}>
      <span className="grow">
        <span className="name">{words.onHomeScreen(institute.name)}</span>
        {how === 'told' && <span className="about long">{words.homeScreenByHand}</span>}
      </span>
      <div className="actions">
        <Button look="quiet" onPress={leaveHomeScreen}>
          {how === 'told' ? shell.close : words.notNow}
        </Button>
        {how === 'offered' && <Button onPress={() => void putOnHomeScreen()}>{words.putThere}</Button>}
      </div>
    </aside>
  )
}
