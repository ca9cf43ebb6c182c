/*
 * In how many parts a text message goes, which is what providers charge for. A text of the letters of GSM 7-bit has 160
 * of them, or 153 in each of several parts; any other letter makes it UCS-2, with 70, or 67 (3GPP TS 23.038, 23.040).
 */

const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
/** Each takes the room of two. */
const EXTENDED = new Set('\f^{}\\[~]|€')

const SIZES = { gsm: { alone: 160, part: 153 }, ucs2: { alone: 70, part: 67 } } as const

/** @param sizes of each letter, which lies within one part */
const partsOf = (sizes: readonly number[], { alone, part }: { alone: number; part: number }): number => {
  const all = sizes.reduce((sum, size) => sum + size, 0)
  if (all <= alone) return 1
  let [parts, used] = [1, 0]
  for (const size of sizes) {
    if (used + size > part) {
      parts += 1
      used = 0
    }
    used += size
  }
  return parts
}

export const segmentsOf = (text: string): number => {
  const letters = Array.from(text)
  const isGsm = letters.every((letter) => BASIC.has(letter) || EXTENDED.has(letter))
  return isGsm
    ? partsOf(
        letters.map((letter) => (EXTENDED.has(letter) ? 2 : 1)),
        SIZES.gsm,
      )
    : partsOf(
        letters.map((letter) => letter.length),
        SIZES.ucs2,
      )
}
