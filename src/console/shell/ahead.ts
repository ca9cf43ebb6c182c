import { createContext, useContext } from 'react'
import type { Path } from '../map.ts'

/** Loads the page of a screen before somebody opens it. */
export type LoadAhead = (path: Path) => Promise<void>

export const LoadAheadContext = createContext<LoadAhead>(() => Promise.resolve())

export const useLoadAhead = (): LoadAhead => useContext(LoadAheadContext)
