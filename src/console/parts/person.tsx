/** The first letters of the first and the last name. */
export const initialsOf = (fullName: string): string => {
  const names = fullName.trim().split(/\s+/)
  const letters = [names[0], names.length > 1 ? names.at(-1) : undefined].map((name) => Array.from(name ?? '')[0] ?? '')
  // Arabic letters join where nothing keeps them apart.
  return letters.filter(Boolean).join('\u200c')
}

export const Initials = ({ name, isLarge }: { name: string; isLarge?: boolean }) => (
  <span className={isLarge ? 'initials large' : 'initials'} aria-hidden="true">
    {initialsOf(name)}
  </span>
)
