import { sendAsUser } from './send.ts'
import { hasFailed, problemOf } from './problem.ts'

export interface GivenFile {
  /** As the server calls it. */
  name: string
  content: Blob
}

/** The name of the reply: in whole, else in the letters that every program reads. */
const nameOf = (header: string): string | undefined => {
  const [, whole] = /filename\*=UTF-8''([^;]+)/i.exec(header) ?? []
  if (whole !== undefined) return decodeURIComponent(whole)
  return /filename="?([^";]+)/.exec(header)?.[1]
}

/**
 * Fetches a file that the API makes, in the reader's language.
 * @param path such as `/imports/<id>/refused`
 * @param otherwise its name where the server says none
 * @throws Problem
 */
export const fetchFile = async (path: string, locale: string, otherwise: string): Promise<GivenFile> => {
  const address = new URL(`/api/v1${path}`, location.origin)
  const response = await sendAsUser(new Request(address, { headers: { 'Accept-Language': locale } }))
  if (hasFailed(response)) throw await problemOf(response)
  return {
    name: nameOf(response.headers.get('Content-Disposition') ?? '') ?? otherwise,
    content: await response.blob(),
  }
}

/**
 * Fetches a whole list as a file, with heads in the reader's language.
 * @param path of the list, with its filters @throws Problem
 */
export const fetchListFile = (path: string, format: 'xlsx' | 'csv', locale: string): Promise<GivenFile> => {
  const [list, filters] = path.split('?', 2)
  const query = new URLSearchParams(filters)
  query.set('format', format)
  return fetchFile(`${list}?${query}`, locale, `list.${format}`)
}

/** Fetches a record as a paper, in the language of whom it is for. @param path such as `/invoices/<id>/pdf` @throws Problem */
export const fetchPaper = (path: string, locale: string): Promise<GivenFile> => fetchFile(path, locale, 'paper.pdf')

/** Hands a file to the browser, which keeps it where it keeps downloads. */
export const keep = ({ name, content }: GivenFile): void => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  // The browser has read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
