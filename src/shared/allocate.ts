/** What is open on an invoice, in the smallest unit of its currency. */
export interface Open {
  id: string
  dueDate: string
  openMinor: number
}

export interface Allocation {
  invoiceId: string
  amountMinor: number
}

/** Those that are due first come first. */
export const oldestFirst = <T extends Open>(invoices: readonly T[]): T[] =>
  invoices.toSorted((a, b) => (a.dueDate === b.dueDate ? (a.id < b.id ? -1 : 1) : a.dueDate < b.dueDate ? -1 : 1))

export const sumOf = (invoices: readonly Open[]): number => invoices.reduce((sum, { openMinor }) => sum + openMinor, 0)

/** Spreads an amount over invoices: the oldest is paid first, the last one in part. What is more than all of them stays. */
export const spread = (invoices: readonly Open[], amountMinor: number): Allocation[] => {
  const allocations: Allocation[] = []
  let left = amountMinor
  for (const { id, openMinor } of oldestFirst(invoices)) {
    const part = Math.min(left, openMinor)
    if (part > 0) allocations.push({ invoiceId: id, amountMinor: part })
    left -= part
  }
  return allocations
}
