import { isolate } from '#shared/isolate.ts'
import { unlinked } from '#shared/text.ts'

/** Makes a name that somebody typed safe for the text of a mail. */
export const named = (value: string): string => isolate(unlinked(value))
