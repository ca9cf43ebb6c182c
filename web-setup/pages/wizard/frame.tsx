import type { ReactNode } from 'react'
import { PlaceProvider } from '../../../src/console/parts/place.tsx'
import { Brand } from '../../../src/console/shell/brand.tsx'
import { LanguageChoice } from '../../../src/console/shell/preferences.tsx'
import { useFirstWords } from '../../../src/console/words/language.tsx'
import { useOwnWords } from '../../parts/own-words.ts'
import { STEPS } from './typed.ts'

interface FrameProps {
  /** Which step is shown; as many as there are steps: all are done; undefined: none of them. */
  place: number | undefined
  children: ReactNode
}

/** The wizard: how far it has come, beside it or above, and what it is at. */
export const Frame = ({ place, children }: FrameProps) => {
  const { shell } = useFirstWords()
  const words = useOwnWords('wizard')
  const isStep = place !== undefined && place < STEPS.length
  return (
    <PlaceProvider house={isStep ? `${words.setup.title} · ${shell.product}` : shell.product}>
      <div className="guided">
        <header>
          <Brand />
          <LanguageChoice />
        </header>
        <nav className={place === undefined ? 'progress gone' : 'progress'} aria-label={words.setup.steps}>
          <p className="progress-title">{words.setup.title}</p>
          <ol>
            {STEPS.map((name, index) => (
              <li
                key={name}
                className={index < (place ?? 0) ? 'past' : ''}
                {...(index === place && { 'aria-current': 'step' as const })}
              >
                <span>{words.steps[name]}</span>
              </li>
            ))}
          </ol>
        </nav>
        <main>{children}</main>
      </div>
    </PlaceProvider>
  )
}
