const PASSWORD_MIN = 10
const COMFORTABLE = 16

export type Weakness = 'common' | 'repetitive' | 'related'
export type WeaknessOf = (password: string, own: readonly string[]) => Weakness | null
export type Strength = 'empty' | 'short' | 'fair' | 'good' | Weakness

/** Rates a password as the server does, which refuses what is short or weak. */
export const strengthOf = (password: string, own: readonly string[], weaknessOf: WeaknessOf): Strength => {
  if (password === '') return 'empty'
  if (password.length < PASSWORD_MIN) return 'short'
  return weaknessOf(password, own) ?? (password.length < COMFORTABLE ? 'fair' : 'good')
}
