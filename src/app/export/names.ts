/** Characters that file systems refuse, that end or hide a part of a name, or that change the writing direction. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff<>:"/\\|?*]/gu
/** File systems limit a name to 255 bytes; a character takes up to four, and the id 37. */
const LONGEST = 50

/**
 * The path of a file in the archive: its id, which makes it unique and leads to its record, then its name, without what
 * could mislead a person or a program that unpacks it.
 */
export const pathOfFile = (id: string, originalName: string): string => {
  const safe = originalName.normalize('NFC').replaceAll(UNSAFE, '_')
  const dot = safe.lastIndexOf('.')
  const extension = dot > 0 && safe.length - dot <= 8 ? safe.slice(dot) : ''
  const stem = safe
    .slice(0, safe.length - extension.length)
    .slice(0, LONGEST - extension.length)
    .toWellFormed()
  // Windows drops blanks and dots at the end of a name.
  return `files/${id}-${`${stem.trim()}${extension}`.replace(/[. ]+$/, '')}`
}
