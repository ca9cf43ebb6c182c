import { fold } from '#kernel/text.ts'

/** The year in which an institute may have issued its first invoice. */
const FIRST_YEAR = 2000

const DIGITS = 6

const numberOf = (year: number, serial: string): string => `INV-${year}-${serial}`

interface NumberSearch {
  /** These numbers. */
  exact: string[]
  /** All from the first to the second, both inclusive. */
  range: [from: string, to: string] | undefined
}

/**
 * What may be meant by the beginning of an invoice's number (INV-2026-000123, with or without INV), or by its last part without
 * zeros. Looking for whole numbers needs no index but the one that keeps them unique.
 */
export const numbersMeant = (typed: string, thisYear: number): NumberSearch => {
  const query = fold(typed).replaceAll(' ', '')
  const exact: string[] = []
  if (/^\d{1,6}$/.test(query)) {
    for (let year = thisYear + 1; year >= FIRST_YEAR; year -= 1) {
      exact.push(numberOf(year, query.padStart(DIGITS, '0')))
    }
  }
  const begun = /^(?:inv-?)?(2\d{3})(?:-(\d{0,6}))?$/.exec(query)
  if (!begun) return { exact, range: undefined }
  const [year, serial = ''] = [Number(begun[1]), begun[2]]
  return { exact, range: [numberOf(year, serial.padEnd(DIGITS, '0')), numberOf(year, serial.padEnd(DIGITS, '9'))] }
}
