import { Readable } from 'node:stream'
import { fileTypeFromStream } from 'file-type'

interface MediaType {
  /** The first is what a name without any of them gets. */
  extensions: readonly string[]
  /** As what its bytes are known, where that is not the type's own name. */
  known?: readonly string[]
}

const OPEN_XML = 'application/vnd.openxmlformats-officedocument'

/** The types of the contract: none that a browser runs (SVG, HTML), and no programs. */
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

/** Of the bytes of a file, looked at one part after another. */
export class TextCheck {
  isText = true

  look(bytes: Buffer): void {
    if (this.isText && bytes.includes(0)) this.isText = false
  }
}

/**
 * Whether bytes are of the type that they are said to be.
 * @param open opens the bytes
 * @param text has seen them all
 */
export const isOfType = async (type: string, open: () => Promise<Readable>, text: TextCheck): Promise<boolean> => {
  // Text has no mark of its own, and may begin with that of something else ("BM").
  if (isText(type)) return text.isText
  const stream = await open()
  try {
    const found = await fileTypeFromStream(Readable.toWeb(stream))
    return found !== undefined && (taken[type]?.known ?? [type]).includes(found.mime)
  } finally {
    stream.destroy()
  }
}

/** Marks that turn the direction of a text, with which a name hides its ending; and what separates folders. */
const MISLEADING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069/\\]/g

/** The name under which a browser keeps a file: it ends as its type does, whatever the file was called. */
export const downloadName = (originalName: string, type: string): string => {
  const name = originalName.replaceAll(MISLEADING, '_')
  const extensions = taken[type]?.extensions ?? []
  const ending = name.split('.').at(-1)?.toLowerCase() ?? ''
  return extensions.length === 0 || extensions.includes(ending) ? name : `${name}.${extensions[0]}`
}
