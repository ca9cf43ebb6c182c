/**
 * The bare cost of HTTP: a constant reply from Koa, and a Koa list of the newest students with a prepared statement.
 */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import Router from '@koa/router'
import BetterSqlite3 from 'better-sqlite3'
import Koa from 'koa'
import { answering } from '#kit/child-script.ts'

const [, , file = ''] = process.argv

const database = new BetterSqlite3(file, { readonly: true })
const { tenant_id: tenantId } = database.prepare('select tenant_id from student limit 1').get() as { tenant_id: string }
const newest = database.prepare(
  `select id, branch_id, student_number, first_name, last_name, status, created_at
   from student where tenant_id = ? order by created_at desc, id desc limit 26`,
)

const router = new Router()
router.get('/fixed', (ctx) => {
  ctx.body = { ok: true }
})
router.get('/students', (ctx) => {
  const rows = newest.all(tenantId) as Record<string, string>[]
  ctx.body = {
    data: rows.slice(0, 25).map((row) => ({
      id: row.id,
      branchId: row.branch_id,
      studentNumber: row.student_number,
      firstName: row.first_name,
      lastName: row.last_name,
      fullName: `${row.first_name} ${row.last_name}`,
      status: row.status,
      createdAt: row.created_at,
    })),
    nextCursor: rows[24]?.id ?? null,
  }
})

const server = new Koa().use(router.routes()).listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
answering(() => ({ url: `http://127.0.0.1:${port}` }))
