/** How many digits an identity number of Israel or Palestine has. */
export const IDENTITY_DIGITS = 9

/** Whether the last of nine digits is the one that the others lead to, as in the numbers of Israel and Palestine. */
export const isCheckedIdentity = (digits: string): boolean => {
  if (!/^\d{9}$/.test(digits)) return false
  const sum = Array.from(digits, (digit, at) => {
    const times = Number(digit) * (at % 2 === 0 ? 1 : 2)
    return times > 9 ? times - 9 : times
  }).reduce((all, one) => all + one, 0)
  return sum % 10 === 0
}
