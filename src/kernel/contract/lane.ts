const SEPARATOR = ':'

/**
 * The lane of jobs of one institute: the queue divides its places among institutes first, and an institute's among its
 * lanes. Whatever takes long for a reason outside this server (a receiver, a mail server) has a lane of its own.
 */
export const laneIn = (tenantId: string, ...names: readonly [string, ...string[]]): string =>
  [tenantId, ...names].join(SEPARATOR)

/** What a lane is called within its institute; the lane itself where it belongs to no institute. */
export const nameIn = (lane: string): string => lane.slice(lane.indexOf(SEPARATOR) + 1)

/** Who holds the places of a lane: its institute, or the lane itself where it belongs to no institute. */
export const holderOf = (lane: string): string => {
  const end = lane.indexOf(SEPARATOR)
  return end < 0 ? lane : lane.slice(0, end)
}
