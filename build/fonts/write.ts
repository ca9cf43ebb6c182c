/** `npm run fonts` makes the Arabic fonts of papers anew: after a new version of Noto Sans Arabic or of HarfBuzz. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { wholeLetters } from './whole-letters.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** The fonts by their file in the checkout. */
export const arabicFonts = (): ReadonlyMap<string, Buffer> =>
  new Map(
    ['400Regular', '700Bold'].map((weight) => {
      const file = `NotoSansArabic_${weight}.ttf`
      const source = readFileSync(path.join(root, 'node_modules/@expo-google-fonts/noto-sans-arabic', weight, file))
      return [`src/ports/papers/typst/fonts/${file}`, wholeLetters(source)]
    }),
  )

if (import.meta.main) {
  process.chdir(root)
  for (const [file, bytes] of arabicFonts()) writeFileSync(file, bytes)
}
