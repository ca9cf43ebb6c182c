import { Icon, type IconName } from '../parts/icon.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { useWords } from '../words/language.tsx'
import type { Words } from '../words/words.ts'

type KeyGroup = Exclude<keyof Words['keys'], 'title' | 'space'>

/** Keys as they stand on keyboards, in the order of the words that say what they do. */
const KEYS: Readonly<Record<KeyGroup, Readonly<Record<string, readonly string[]>>>> = {
  everywhere: { find: ['/'], list: ['?'], toMessage: ['F6'], close: ['Esc'] },
  lists: { move: ['↑', '↓'], ends: ['Home', 'End'], choose: ['Space'], open: ['Enter'] },
  attendance: { mark: ['1', '2', '3', '4'], note: ['Space'], next: ['Enter'], save: ['Ctrl', 'Enter'] },
  editing: { save: ['Enter'], saveLong: ['Ctrl', 'Enter'], takeBack: ['Esc'] },
}

/** Fonts of old computers have no arrows. */
const DRAWN: Readonly<Record<string, IconName>> = { '↑': 'up', '↓': 'down' }

const Key = ({ name, space }: { name: string; space: string }) => {
  const drawn = DRAWN[name]
  if (drawn === undefined) return name === 'Space' ? space : name
  return (
    <>
      <Icon name={drawn} />
      <span className="unseen">{name}</span>
    </>
  )
}

/** Every key that does something, and what. */
export const ShortcutList = ({ onClose }: { onClose: () => void }) => {
  const { keys: words } = useWords()
  return (
    <Sheet title={words.title} isOpen isBroad onClose={onClose}>
      <div className="shortcuts">
        {(Object.keys(KEYS) as KeyGroup[]).map((group) => {
          const said: Readonly<Record<string, string>> = words[group].does
          return (
            <section key={group}>
              <h3>{words[group].title}</h3>
              <dl>
                {Object.entries(KEYS[group]).map(([what, keys]) => (
                  <div key={what}>
                    <dt>{said[what]}</dt>
                    <dd dir="ltr">
                      {keys.map((key) => (
                        <kbd key={key}>
                          <Key name={key} space={words.space} />
                        </kbd>
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          )
        })}
      </div>
    </Sheet>
  )
}
