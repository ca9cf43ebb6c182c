/**
 * Makes a costly value when it is first needed, so that the program starts without it.
 * @param make runs at the first call
 * @returns the function that gives what was made
 */
export const once = <T extends object>(make: () => T): (() => T) => {
  let made: T | undefined
  return () => (made ??= make())
}
