import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { settleSent } from '#db/sqlite/settle-sent.ts'

/** The columns that it touches; every restore of the tests runs it on the tables as they are. */
const TABLES = `
  create table audit_entry (id text, created_at text);
  create table job (id text, kind text, state text, lease_until text, run_at text, finished_at text);
  create table notification (id text, status text, reason text, attempts integer, generation integer, next_attempt_at text,
    sent_at text, server_failed_at text, digest_id text, tries text);
  create table webhook_delivery (id text, status text, attempts integer, generation integer, last_status_code integer,
    response_excerpt text, next_attempt_at text, delivered_at text);
`

const filled = (file: string, rows: string): string => {
  const database = new BetterSqlite3(file)
  database.exec(TABLES + rows)
  database.close()
  return file
}

const WAITING = `
  insert into audit_entry values ('a1', '2026-01-01');
  insert into notification (id, status) values ('told', 'queued'), ('waits', 'queued'), ('deleted', 'queued');
  insert into webhook_delivery (id, status) values ('told', 'queued'), ('waits', 'queued');
  insert into job (id, kind, state, run_at) values ('told', 'mail', 'queued', 'r'), ('waits', 'mail', 'queued', 'r'), ('counts', 'sweep', 'queued', 'r');
`
const SINCE = `
  insert into notification (id, status, sent_at, digest_id) values ('told', 'sent', 's', 'd'), ('waits', 'queued', null, null);
  insert into webhook_delivery (id, status, last_status_code) values ('told', 'delivered', 200), ('waits', 'queued', null);
  insert into job (id, kind, state, run_at) values ('told', 'mail', 'done', 'r'), ('waits', 'mail', 'queued', 'r');
`

const settled = (later: string): { count: number; states: unknown } => {
  const folder = mkdtempSync(path.join(tmpdir(), 'settle-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = filled(path.join(folder, 'institute.db'), WAITING)
  const count = settleSent(file, filled(path.join(folder, 'later.db'), later), ['mail'])
  const database = new BetterSqlite3(file)
  const states = ['notification', 'webhook_delivery', 'job'].map((table) =>
    database
      .prepare(`select id || ' ' || ${table === 'job' ? 'state' : 'status'} from ${table} order by id`)
      .pluck()
      .all(),
  )
  database.close()
  return { count, states }
}

test('what waited and has gone out since does not go out again; what still waits, and what counts, does', () => {
  expect(settled(`insert into audit_entry values ('a1', '2026-01-01'), ('a2', '2026-01-02');${SINCE}`)).toEqual({
    count: 3,
    states: [
      ['deleted queued', 'told sent', 'waits queued'],
      ['told delivered', 'waits queued'],
      ['counts queued', 'told done', 'waits queued'],
    ],
  })
})

test('nothing is settled by a database that this one has not become', () => {
  const { count } = settled(`insert into audit_entry values ('b1', '2026-01-02');${SINCE}`)
  expect(count).toBe(0)
})
