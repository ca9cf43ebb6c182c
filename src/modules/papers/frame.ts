import type { TenantInfo } from '#kernel/who/actor.ts'
import type { Locale } from '#shared/locale.ts'
import { writtenPhone } from '#shared/phone.ts'
import type { Content } from '#kernel/values/media.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Edition, OfPaper } from '#modules/billing/index.ts'
import { readIssuer, type Issuer } from '#modules/settings/index.ts'
import type { Block, Paper, Papers } from '#ports/papers/port.ts'
import { addressLines, code, dates, written } from './text.ts'
import { WORDS, type PaperWords } from './words/index.ts'

export const PAPER_TYPE = 'application/pdf'

/** The bytes of the institute's logo; null: its file is gone. */
export type ReadLogo = (whole: ScopedDb, fileId: string) => Promise<Buffer | null>

export interface PaperDeps {
  papers: Papers
  readLogo: ReadLogo
}

/** Where a paper is made: the handles of the request. */
export interface PaperContext {
  db: ScopedDb
  whole: ScopedDb
  tenant: TenantInfo
  /** Whether who gets this paper gets its original, which it takes if it is still there. */
  editionOf: (of: OfPaper) => Promise<Edition>
}

/** What the papers of one language say, and how they write it. */
export interface Language {
  locale: Locale
  words: PaperWords
  dates: ReturnType<typeof dates>
  /** A phone number as people at the institute write it. */
  phone: (e164: string) => string
}

/** @param locale what was asked for, else the reader's; undefined: the institute's */
export const languageOf = (
  tenant: Pick<TenantInfo, 'defaultLocale' | 'timezone'>,
  locale: Locale | null | undefined,
): Language => {
  const chosen = locale ?? tenant.defaultLocale
  return {
    locale: chosen,
    words: WORDS[chosen],
    dates: dates(WORDS[chosen].date, tenant.timezone),
    phone: (e164) => code(writtenPhone(e164, tenant.timezone)),
  }
}

/** What one paper says, without what all papers of the institute have. */
export interface Draft
  extends
    Pick<Paper, 'title' | 'number' | 'date' | 'blocks'>,
    Partial<Pick<Paper, 'size' | 'isWide' | 'mark' | 'note'>> {
  /** The name of the file, without its ending. */
  fileName: string
  /** The branch whose address stands at the top; null: none. */
  branchId: string | null
  /** The small print. null: none. */
  footer: string | null
  /** It counts before the law, and so says by which tax number the institute is known. */
  isOfficial: boolean
  /** By whom it was when it was handed out; left out: by the institute as it is now. */
  issuer?: Issuer | undefined
}

/** The institute's own address takes the place of that of the default branch, which is its seat. */
const letterheadLines = (
  { address, taxNumber, branch }: Issuer,
  { isOfficial }: Pick<Draft, 'isOfficial'>,
  { words, phone }: Language,
): readonly string[] => [
  ...(address === null ? [] : [written(address)]),
  ...(!branch || branch.isDefault ? [] : [written(branch.name)]),
  ...(branch && !(branch.isDefault && address !== null) ? addressLines(branch.address) : []),
  ...(branch && branch.phone !== null ? [`${words.phone} ${phone(branch.phone)}`] : []),
  ...(isOfficial && taxNumber !== null ? [`${words.taxNumber} ${written(taxNumber)}`] : []),
]

/** Reads a record and says it on paper. */
export type MakePaper<Query> = (
  context: PaperContext,
  id: string,
  query: Query,
) => Promise<{ language: Language; draft: Draft }>

/** A paper that says everything, and is not printed yet. */
export interface ReadyPaper {
  /** The name of the file. */
  name: string
  etag(): string
  print(): Promise<Buffer>
}

/** Adds to a draft what all papers of the institute have. */
export const readyPaper = async (
  { papers, readLogo }: PaperDeps,
  { whole }: Pick<PaperContext, 'whole'>,
  { language, draft }: { language: Language; draft: Draft },
): Promise<ReadyPaper> => {
  const {
    fileName,
    branchId,
    isOfficial,
    issuer = await readIssuer(whole, branchId),
    footer,
    size = 'a4',
    isWide = false,
    mark = null,
    note = null,
    ...said
  } = draft
  const { name, color, logoFileId } = issuer
  const logo = logoFileId === null ? null : await readLogo(whole, logoFileId)
  const paper: Paper = {
    ...said,
    locale: language.locale,
    size,
    isWide,
    mark,
    note,
    letterhead: {
      name: written(name),
      color,
      lines: letterheadLines(issuer, { isOfficial }, language),
    },
    footer: footer === null ? null : written(footer),
    pageWords: language.words.page,
  }
  return {
    name: `${fileName}.pdf`,
    etag: () => papers.etag(paper, logo),
    print: () => papers.print(paper, logo),
  }
}

/** Makes the reply: the PDF, which is made when it is sent. */
export const paperContent = ({ name, etag, print }: ReadyPaper): Content => ({
  type: PAPER_TYPE,
  etag: etag(),
  inline: name,
  body: print,
})

/** Leaves out the facts whose value is unknown. */
export const facts = (...known: (readonly [label: string, value: string | null])[]): Block => ({
  kind: 'facts',
  facts: known.flatMap(([label, value]) => (value === null || value === '' ? [] : [{ label, value }])),
})
