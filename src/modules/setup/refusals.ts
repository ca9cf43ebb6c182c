import * as v from 'valibot'
import { failure } from '#kernel/values/errors.ts'
import { explained } from '#kernel/values/named.ts'
import { count } from '#kernel/values/schema.ts'

export const RestoreBusy = failure(
  'CONFLICT',
  'restore_busy',
  'A backup is being received, checked or restored already: wait for its end.',
)
export const NothingToRestore = failure(
  'CONFLICT',
  'nothing_to_restore',
  'There is no backup that lies ready for this: send its file, and have it checked, first.',
)
export const NoRoomForBackup = failure(
  'CONFLICT',
  'no_room_for_backup',
  'The disk of the server has no room for this backup: make room, or attach a larger disk.',
  {
    details: {
      schema: explained(v.object({ mostBytes: count }), { mostBytes: 'The largest file for which there is room.' }),
      example: { mostBytes: 500_000_000 },
    },
  },
)
export const BucketTakesNone = failure(
  'CONFLICT',
  'bucket_takes_none',
  'The bucket takes no copies of backups: its key may only read there. Restore without keeping copies in it.',
)
