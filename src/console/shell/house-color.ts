import { accentOf } from './color.ts'

const NAMES = [
  '--accent',
  '--accent-strong',
  '--on-accent',
  '--wash',
  '--rail',
  '--rail-soft',
  // Of dark pages.
  '--page',
  '--surface',
  '--sunken',
  '--hover',
  '--line',
  '--focus',
]

/** @param color #RRGGBB; null: the colours of the style sheet stay */
export const applyColor = (color: string | null, isDark: boolean): void => {
  const variables = color === null ? {} : accentOf(color, isDark)
  for (const name of NAMES) {
    const value = variables[name]
    if (value === undefined) document.documentElement.style.removeProperty(name)
    else document.documentElement.style.setProperty(name, value)
  }
}
