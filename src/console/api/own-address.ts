/**
 * A signed address of a file begins with the one that is set for the institute. The page may have been opened at another
 * one, from which it is the same file: the page's policy allows no other.
 */
export const ownAddress = (signed: string): string => {
  const { pathname, search } = new URL(signed)
  return pathname + search
}
