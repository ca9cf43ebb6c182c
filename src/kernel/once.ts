/**
 * Puts off what is costly to make until somebody needs it, so that the program starts without it.
 * @param make runs at the first call
 * @returns the function that gives what was made
 */
export const once = <T extends object>(make: () => T): (() => T) => {
  let made: T | undefined
  return () => (made ??= make())
}
