import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { arabicFonts } from '../../build/fonts/write.ts'

test('the Arabic fonts of papers are those that follow from Noto Sans Arabic (`npm run fonts` makes them)', () => {
  for (const [file, bytes] of arabicFonts()) {
    expect(bytes.equals(readFileSync(path.resolve(import.meta.dirname, '../..', file))), file).toBe(true)
  }
})
