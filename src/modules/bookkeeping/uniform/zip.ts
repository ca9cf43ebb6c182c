import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import { decimal } from '#kernel/values/money.ts'
import type { BookkeepingWords } from '../words/index.ts'
import type { DocumentKind } from './documents.ts'
import type { UniformFiles } from './file.ts'

interface About {
  words: BookkeepingWords
  business: string
  taxNumber: string
  /** Dates. */
  from: string
  to: string
  /** How many papers are in other currencies. */
  leftOut: number
  now: string
}

const zipped = async (files: Readonly<Record<string, Buffer>>, now: string): Promise<Buffer> => {
  const zip = new ZipFile()
  for (const [path, content] of Object.entries(files)) zip.addBuffer(content, path, { mtime: new Date(now) })
  zip.end()
  return buffer(zip.outputStream)
}

const dmy = (date: string): string => date.split('-').toReversed().join('/')

/** What the authority wants a program to show when it has made the files, and what a person has to know of them. */
const readMe = (
  { folder, records, documents }: UniformFiles,
  { words, business, taxNumber, from, to, leftOut }: About,
): string => {
  const { readMe: said } = words
  return [
    said.title,
    said.notCertified,
    '',
    `${said.business}: ${business}`,
    `${said.taxNumber}: ${taxNumber}`,
    `${said.period}: ${dmy(from)} - ${dmy(to)}`,
    '',
    said.path,
    folder.replaceAll('/', '\\'),
    '',
    `${said.records}:`,
    ...[...records].map(([code, count]) => `${code}  ${count}`),
    '',
    `${said.documents}:`,
    ...(Object.keys(words.documents) as DocumentKind[]).map((kind) => {
      const { count = 0, totalMinor = 0 } = documents.get(kind) ?? {}
      return `${words.documents[kind]}: ${count}, ${decimal(totalMinor)}`
    }),
    '',
    ...(leftOut > 0 ? [said.leftOut(leftOut)] : []),
    said.letters,
  ].join('\r\n')
}

/** The files in the folders in which the authority wants them, and a page that says what they are. */
export const uniformZip = async (files: UniformFiles, about: About): Promise<Buffer> =>
  zipped(
    {
      'README.txt': Buffer.from(`\uFEFF${readMe(files, about)}\r\n`),
      [`${files.folder}/INI.TXT`]: files.ini,
      [`${files.folder}/BKMVDATA.ZIP`]: await zipped({ 'BKMVDATA.TXT': files.data }, about.now),
    },
    about.now,
  )
