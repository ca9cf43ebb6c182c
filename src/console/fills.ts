/**
 * What the oldest browsers of the console lack (Chromium 109, the last for Windows 7 and 8) of what it and its libraries
 * call. test/unit/oldest-browsers.test.ts finds what is missing here. A library of fills would be forty times as large.
 */

const fill = (name: string, make: (this: readonly unknown[], ...args: never[]) => unknown[]): void => {
  if (name in Array.prototype) return
  // oxlint-disable-next-line no-extend-native
  Object.defineProperty(Array.prototype, name, { value: make, writable: true, configurable: true })
}

fill('toSorted', function toSorted(compare?: (one: unknown, other: unknown) => number) {
  // oxlint-disable-next-line unicorn/no-array-sort -- it is what is missing
  return Array.from(this).sort(compare)
})

fill('toReversed', function toReversed() {
  // oxlint-disable-next-line unicorn/no-array-reverse -- it is what is missing
  return Array.from(this).reverse()
})
