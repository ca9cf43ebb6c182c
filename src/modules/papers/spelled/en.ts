import type { Currency } from '#kernel/values/money.ts'
import type { Spell } from './spell.ts'

const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS = '  twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const SCALES = ['', ' thousand', ' million', ' billion']

const NAMES: Record<Currency, { whole: [one: string, many: string]; part: [one: string, many: string] }> = {
  ILS: { whole: ['shekel', 'shekels'], part: ['agora', 'agorot'] },
  USD: { whole: ['dollar', 'dollars'], part: ['cent', 'cents'] },
  EUR: { whole: ['euro', 'euros'], part: ['cent', 'cents'] },
}

const below100 = (n: number): string => {
  if (n < 20) return SMALL[n] as string
  const unit = n % 10
  return `${TENS[Math.floor(n / 10)]}${unit === 0 ? '' : `-${SMALL[unit]}`}`
}

const below1000 = (n: number): string => {
  const rest = n % 100
  if (n < 100) return below100(n)
  return `${SMALL[Math.floor(n / 100)]} hundred${rest === 0 ? '' : ` and ${below100(rest)}`}`
}

const spelled = (n: number): string => {
  if (n === 0) return SMALL[0] as string
  const said: string[] = []
  for (let scale = SCALES.length - 1; scale >= 0; scale -= 1) {
    const group = Math.floor(n / 1000 ** scale) % 1000
    if (group === 0) continue
    const and = scale === 0 && group < 100 && said.length > 0 ? 'and ' : ''
    said.push(`${and}${below1000(group)}${SCALES[scale]}`)
  }
  return said.join(' ')
}

const counted = (n: number, [one, many]: [string, string]): string => `${spelled(n)} ${n === 1 ? one : many}`

/** As British cheques have it: One thousand and five shekels and fifty agorot. */
export const en: Spell = (whole, part, currency) => {
  const { whole: wholes, part: parts } = NAMES[currency]
  const said = [
    ...(whole === 0 && part > 0 ? [] : [counted(whole, wholes)]),
    ...(part === 0 ? [] : [counted(part, parts)]),
  ].join(' and ')
  return `${said[0]?.toUpperCase()}${said.slice(1)}`
}
