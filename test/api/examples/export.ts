import type { Examples } from '#kit/examples.ts'

export const exportExamples: Examples = {
  'export.request': async () => ({ body: { fresh: true } }),
}
