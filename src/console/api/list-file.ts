import { sendAsUser } from './client.ts'
import { problemOf } from './problem.ts'

export interface ListFile {
  /** As the server calls it. */
  name: string
  content: Blob
}

/**
 * Fetches a whole list as a file, with heads in the reader's language.
 * @param path of the list, with its filters @throws Problem
 */
export const fetchListFile = async (path: string, format: 'xlsx' | 'csv', locale: string): Promise<ListFile> => {
  const address = new URL(`/api/v1${path}`, location.origin)
  address.searchParams.set('format', format)
  const response = await sendAsUser(new Request(address, { headers: { 'Accept-Language': locale } }))
  if (!response.ok) throw await problemOf(response)
  const [, name = `list.${format}`] =
    /filename="?([^";]+)/.exec(response.headers.get('Content-Disposition') ?? '') ?? []
  return { name, content: await response.blob() }
}

/** Hands a file to the browser, which keeps it where it keeps downloads. */
export const keep = ({ name, content }: ListFile): void => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  // The browser has read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
