import { startApp } from '#kit/app.ts'
import { makeInstitute } from '#kit/institute.ts'
import { worldOf } from '#kit/examples.ts'
import { stored } from '#kit/files.ts'
import { makeFullFamily, letGo, placesOf } from './api/person-file/full-person.ts'
const app = await startApp()
try {
const school = await makeInstitute(app)
const world = worldOf(app, school)
const f = await makeFullFamily(world, 'plantedown')
await letGo(world, f)
console.log(JSON.stringify(await placesOf(app, f.word)), (await stored(app)).length)
const { owner } = school
console.log(JSON.stringify((await owner.get(`/guardians/${f.guardianId}/erasure`)).body))
console.log(JSON.stringify((await owner.get(`/students/${f.studentId}/erasure`)).body))
let r = await owner.post(`/guardians/${f.guardianId}/erase`); console.log(r.status, JSON.stringify(r.body))
await app.drain()
console.log('G', JSON.stringify(await placesOf(app, f.word + '-parent')), JSON.stringify(await placesOf(app, f.word + '-double')))
r = await owner.post(`/students/${f.studentId}/erase`); console.log(r.status, JSON.stringify(r.body))
await app.drain()
for (const t of ['event','job','notification','send_pace']) for (const r of await (app.app.database.read as any).selectFrom(t).selectAll().execute()) if (JSON.stringify(r).includes('plantedown')) console.log(t, JSON.stringify(r).slice(0,700))
console.log('S', JSON.stringify(await placesOf(app, f.word)), (await stored(app)).length)
} catch (e) { console.log(e) }
process.exit(0)
