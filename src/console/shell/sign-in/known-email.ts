const KEY = 'institute.known-email'

/** Keeps whose link was just used, in this tab: who signs in then need not type it again. */
export const keepEmail = (email: string): void => {
  try {
    sessionStorage.setItem(KEY, email)
  } catch {
    // The browser keeps nothing: it is typed.
  }
}

/** @returns '': none is known */
export const knownEmail = (): string => {
  try {
    return sessionStorage.getItem(KEY) ?? ''
  } catch {
    return ''
  }
}
