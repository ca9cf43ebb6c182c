export const roundedHalfUp = (numerator: bigint, denominator: bigint): number => {
  const [whole, rest] = [numerator / denominator, numerator % denominator]
  return Number(2n * rest >= denominator ? whole + 1n : whole)
}
