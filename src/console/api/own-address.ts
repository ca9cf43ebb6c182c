/**
 * An address that the API gives begins with the one that is set for the institute. The page may have been opened at
 * another one, from which it is the same: the page's policy allows no other, but that of the bucket where files are.
 */
export const ownAddress = (given: string): string => {
  const { pathname, search, searchParams } = new URL(given)
  return searchParams.has('X-Amz-Signature') ? given : pathname + search
}
