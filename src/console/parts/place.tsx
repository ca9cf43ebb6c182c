import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react'
import { useLocation } from 'wouter'

const TitleContext = createContext<(title: string) => void>(() => {})

/** Keeps the title of the page that is shown in the browser's tab. */
export const PlaceProvider = ({ house, children }: { house: string; children: ReactNode }) => {
  const [title, setTitle] = useState('')
  useEffect(() => {
    document.title = title === '' ? house : `${title} · ${house}`
  }, [title, house])
  return <TitleContext value={setTitle}>{children}</TitleContext>
}

/** The address of the page that was shown before; undefined: the browser has just opened this one. */
let shownBefore: string | undefined

/**
 * Names the page.
 * @returns whether one came to it from another page of the console
 */
export const usePlace = (title: string): { isNew: () => boolean } => {
  const setTitle = useContext(TitleContext)
  const [address] = useLocation()
  useEffect(() => setTitle(title), [setTitle, title])
  return useMemo(
    () => ({
      isNew: () => {
        const isNew = shownBefore !== undefined && shownBefore !== address
        shownBefore = address
        return isNew
      },
    }),
    [address],
  )
}
