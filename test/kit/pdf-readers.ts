import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import { getDocumentProxy } from 'unpdf'
import { once } from '#kernel/basics/once.ts'

/** The pieces of text that a program finds in a PDF, in its order. */
export type PdfReader = (pdf: Buffer) => Promise<string[]>

/** As Firefox: pdf.js. */
const firefox: PdfReader = async (pdf) => {
  const file = await getDocumentProxy(new Uint8Array(pdf))
  const pages = Array.from({ length: file.numPages }, async (_, at) => (await file.getPage(at + 1)).getTextContent())
  const items = (await Promise.all(pages)).flatMap((page) => page.items)
  await file.loadingTask.destroy()
  return items.flatMap((item) => ('str' in item ? [item.str] : []))
}

/** As Chrome: PDFium. */
const library = once(() => PDFiumLibrary.init())
const chrome: PdfReader = async (pdf) => {
  const file = await (await library()).loadDocument(pdf)
  const pages = [...file.pages()].map((page) => page.getText())
  file.destroy()
  return pages
}

const POPPLER = '/usr/bin/pdftotext'

export const whyNoPoppler = (): string | undefined =>
  existsSync(POPPLER)
    ? undefined
    : 'poppler-utils is not installed: papers are read back as in Firefox and Chrome alone'

/** As the readers of Linux desktops: poppler. */
const poppler: PdfReader = async (pdf) => [execFileSync(POPPLER, ['-', '-'], { input: pdf, encoding: 'utf8' })]

export const PDF_READERS: Readonly<Record<string, PdfReader>> = {
  Firefox: firefox,
  Chrome: chrome,
  ...(whyNoPoppler() === undefined && { poppler }),
}

/** What directs text and is no part of it. Where the direction changes, poppler leaves nothing else between two words. */
const DIRECTING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const PUNCTUATION = String.raw`[\s()،؛؟,.:;!?=]`

/** The words, names and numbers of a text, without the punctuation around them. */
export const wordsOf = (text: string): string[] =>
  text
    .replaceAll(DIRECTING, ' ')
    .normalize('NFC')
    .split(/\s+/)
    .map((word) => word.replaceAll(new RegExp(`^${PUNCTUATION}+|${PUNCTUATION}+$`, 'g'), ''))
    .filter((word) => word !== '')
