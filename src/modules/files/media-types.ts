import { Readable } from 'node:stream'
import { fileTypeFromStream } from 'file-type'

interface MediaType {
  /** A file name without any of these gets the first. */
  extensions: readonly string[]
  /** The types that the bytes may be detected as, where these differ from the type itself. */
  known?: readonly string[]
}

const OPEN_XML = 'application/vnd.openxmlformats-officedocument'

/** The media types that uploads may have. None that a browser executes (SVG, HTML), and no programs. */
const MEDIA_TYPES = {
  'image/jpeg': { extensions: ['jpg', 'jpeg'] },
  'image/png': { extensions: ['png'], known: ['image/png', 'image/apng'] },
  'image/webp': { extensions: ['webp'] },
  'image/gif': { extensions: ['gif'] },
  'application/pdf': { extensions: ['pdf'] },
  [`${OPEN_XML}.wordprocessingml.document`]: { extensions: ['docx'] },
  [`${OPEN_XML}.spreadsheetml.sheet`]: { extensions: ['xlsx'] },
  'text/csv': { extensions: ['csv'] },
} satisfies Record<string, MediaType>

export const TAKEN_TYPES: readonly string[] = Object.keys(MEDIA_TYPES)
const taken: Readonly<Record<string, MediaType>> = MEDIA_TYPES

export const isPicture = (type: string): boolean => type.startsWith('image/')

const isText = (type: string): boolean => type === 'text/csv'

/** Checks a file's bytes, part by part, for being text. */
export class TextCheck {
  isText = true

  look(bytes: Buffer): void {
    if (this.isText && bytes.includes(0)) this.isText = false
  }
}

/**
 * Whether the bytes have the type that was declared.
 * @param open opens the bytes
 * @param text has already seen all bytes
 */
export const isOfType = async (type: string, open: () => Promise<Readable>, text: TextCheck): Promise<boolean> => {
  // Text has no signature, and may begin like another type (a text with "BM" first looks like a bitmap).
  if (isText(type)) return text.isText
  const stream = await open()
  try {
    const found = await fileTypeFromStream(Readable.toWeb(stream))
    return found !== undefined && (taken[type]?.known ?? [type]).includes(found.mime)
  } finally {
    stream.destroy()
  }
}

/** Characters that change the writing direction, which can disguise a file extension, and path separators. */
const MISLEADING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069/\\]/g

/** The name under which a browser saves the file; its extension always fits its type. */
export const downloadName = (originalName: string, type: string): string => {
  const name = originalName.replaceAll(MISLEADING, '_')
  const extensions = taken[type]?.extensions ?? []
  const ending = name.split('.').at(-1)?.toLowerCase() ?? ''
  return extensions.length === 0 || extensions.includes(ending) ? name : `${name}.${extensions[0]}`
}
