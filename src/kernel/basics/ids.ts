import { v7 } from 'uuid'

const UUID_BYTES = 16

/** Random bytes for 256 ids: a system call for each id would take longer than making the id. */
const random = Buffer.alloc(256 * UUID_BYTES)
let used = random.length

let millis = 0
let sequence = 0

/** Returns a new UUID v7. The ids of one process ascend, so they sort by age and are cheap to insert into an index. */
export const newId = (): string => {
  if (used === random.length) {
    crypto.getRandomValues(random)
    used = 0
  }
  const own = random.subarray(used, used + UUID_BYTES)
  used += UUID_BYTES
  const now = Date.now()
  if (now > millis) {
    millis = now
    // Start in the lower half of the range, so that the sequence can count up within this millisecond.
    sequence = own.readUInt32BE(6) >>> 1
  } else {
    // Same millisecond, or the clock went back: count up, so that ids still ascend.
    sequence += 1
  }
  return v7({ random: own, msecs: millis, seq: sequence })
}
