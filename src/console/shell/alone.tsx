import type { ReactNode } from 'react'
import { Brand } from './brand.tsx'
import { PlaceProvider } from '../parts/place.tsx'
import { LanguageChoice } from './preferences.tsx'
import { useFirstWords } from '../words/language.tsx'
import { instituteOfPage } from '../words/institute-of-page.ts'

/** A page of somebody who is not in the frame: the institute's name, one thing, the language. */
export const Alone = ({ children }: { children: ReactNode }) => {
  const { shell } = useFirstWords()
  return (
    <PlaceProvider house={instituteOfPage?.name ?? shell.product}>
      <div className="alone">
        <header>
          <LanguageChoice />
        </header>
        <main>
          <Brand />
          {children}
        </main>
      </div>
    </PlaceProvider>
  )
}
