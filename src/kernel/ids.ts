import { v7 } from 'uuid'

const BYTES = 16

/** Random bytes of 256 ids: to ask the system for those of one takes longer than to make it. */
const random = Buffer.alloc(256 * BYTES)
let used = random.length

let millis = 0
let sequence = 0

/** A new UUID v7. Ids of one process rise in the order in which they were made, so they insert cheaply and sort by age. */
export const newId = (): string => {
  if (used === random.length) {
    crypto.getRandomValues(random)
    used = 0
  }
  const own = random.subarray(used, used + BYTES)
  used += BYTES
  const now = Date.now()
  if (now > millis) {
    millis = now
    // Half of the numbers at the most, so that there are others to count on to in this millisecond.
    sequence = own.readUInt32BE(6) >>> 1
  } else {
    // The clock may also have gone back: ids still rise.
    sequence += 1
  }
  return v7({ random: own, msecs: millis, seq: sequence })
}
