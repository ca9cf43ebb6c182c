import type { ReactNode } from 'react'
import { Brand } from './brand.tsx'
import { PlaceProvider } from '../parts/place.tsx'
import { LanguageChoice } from './preferences.tsx'
import { useFirstWords } from '../words/language.tsx'
import { instituteOfPage } from '../words/institute-of-page.ts'

interface AloneProps {
  /** Of the institute, where the page itself does not say it. */
  name?: string | undefined
  children: ReactNode
}

/** A page of somebody who is not in the frame: the institute's name, one thing, the language. */
export const Alone = ({ name = instituteOfPage?.name, children }: AloneProps) => {
  const { shell } = useFirstWords()
  return (
    <PlaceProvider house={name ?? shell.product}>
      <div className="alone">
        <header>
          <LanguageChoice />
        </header>
        <main>
          <Brand {...(name !== undefined && { name })} />
          {children}
        </main>
      </div>
    </PlaceProvider>
  )
}
