import type { Tx } from '#kernel/contract/unit-of-work.ts'

/** Keeps by which edition of the zones' rules the institute's sessions stand. */
export const setZoneRules = async ({ whole }: Pick<Tx, 'whole'>, edition: string): Promise<void> => {
  await whole.updateTable('tenant').set({ zone_rules: edition }).execute()
}
