import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { worldOf, type World } from '#kit/examples.ts'
import { makeInstitute } from '#kit/institute.ts'
import { pdf } from '#kit/paper.ts'
import type { Paper, Papers } from '#ports/papers/port.ts'
import { aCheque, newCheques } from '../examples/cheques.ts'

const printed: Paper[] = []
let app: TestApp
let world: World
beforeAll(async () => {
  app = await startApp({
    papers: (real: Papers) => ({
      ...real,
      print: (paper, logo) => {
        printed.push(paper)
        return real.print(paper, logo)
      },
    }),
  })
  world = worldOf(app, await makeInstitute(app))
})
afterAll(() => app.close())

/** Everything that the paper says, without the isolates. */
const said = async (path: string): Promise<string> => {
  await pdf(app, world.owner, path)
  return JSON.stringify(printed.at(-1)).replaceAll(/[\u2066-\u2069]/g, '')
}

test('the receipt of cheques lists each with bank, branch, account, number and day, and stays as it is on their days', async () => {
  const { owner } = world
  const cheque = aCheque({ bank: 'בנק הפועלים', number: '000777', dueOn: '2026-04-10' })
  const body = { ...(await newCheques(world)), cheques: [cheque, aCheque({ amountMinor: 20_000 })] }
  const receipt = (await owner.post('/cheques', body)).body
  const paper = await said(`/receipts/${receipt.id}/pdf?locale=he`)
  for (const text of [
    'בנק הפועלים',
    '345',
    '678901',
    '000777',
    'תאריך פירעון',
    '₪100.00',
    '₪300.00',
    'בכפוף לכיבודו',
  ]) {
    expect(paper).toContain(text)
  }
  expect(await said(`/receipts/${receipt.id}/pdf?locale=ar`)).toContain('تاريخ الاستحقاق')
})

test('a deposit list has every cheque, whose it is, and what they come to', async () => {
  const { owner } = world
  const { cheques } = (await owner.post('/cheques', await newCheques(world))).body
  const chequeIds = cheques.map(({ id }: { id: string }) => id)
  const { id, number } = (await owner.post('/cheques/deposits', { chequeIds, bankAccount: '12-345-99' })).body
  for (const [locale, title] of [
    ['en', 'Deposit list of cheques'],
    ['he', 'רשימת צ׳קים להפקדה'],
    ['ar', 'قائمة إيداع شيكات'],
  ]) {
    const paper = await said(`/cheque-deposits/${id}/pdf?locale=${locale}`)
    for (const text of [title, number, '12-345-99', cheques[0].number, '₪200.00']) expect(paper).toContain(text)
  }
})
