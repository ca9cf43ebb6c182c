import type { Engine } from '#db/database.ts'
import { notifyJob } from '#modules/notifications/events/notify.ts'

/** Holds back the jobs that tell people of a change, so that the change is measured without them. */
export const HOLD_TELLING: Readonly<Record<Engine, readonly string[]>> = {
  sqlite: [
    `create trigger hold_tell after insert on job when new.kind = '${notifyJob.name}'
     begin update job set run_at = '9999-01-01T00:00:00.000Z' where id = new.id; end`,
  ],
  postgres: [
    `create function hold_tell() returns trigger language plpgsql as
     $$ begin new.run_at = '9999-01-01T00:00:00.000Z'; return new; end $$`,
    `create trigger hold_tell before insert on job for each row when (new.kind = '${notifyJob.name}')
     execute function hold_tell()`,
  ],
}

/** Ends the holding on SQLite; what was held is never told. */
export const FORGET_HELD = ['drop trigger hold_tell', `delete from job where kind = '${notifyJob.name}'`] as const
