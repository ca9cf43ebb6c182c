import type { Locator } from 'playwright-core'

/**
 * Presses a box or a choice as somebody does: on its label, once that stands still and nothing lies over it.
 * The input itself is hidden, and a press forced on it lands wherever it was, on the veil of a sheet that still opens.
 */
export const press = async (box: Locator): Promise<void> => {
  await box.locator('xpath=ancestor::label[1]').click()
}
