/**
 * What a credit note comes to: as far as the invoice is still open, less is to be paid of it; the rest had been paid, and
 * becomes credit.
 */
export const credited = (amountMinor: number, openMinor: number): { settledMinor: number; toCreditMinor: number } => {
  const settledMinor = Math.min(amountMinor, openMinor)
  return { settledMinor, toCreditMinor: amountMinor - settledMinor }
}
