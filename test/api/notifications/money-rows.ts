import type { TestInstitute } from '#kit/institute.ts'
import type { Row } from './session-rows.ts'

interface Billed {
  institute: TestInstitute
  /** A student of each family. */
  studentIds: readonly string[]
  today: string
}

/**
 * What people hear of invoices, and of what is paid of them.
 * @param payers those who pay for the students
 * @returns the rows, and what sees to it that there are invoices
 */
export const moneyRows = (school: () => Billed, payers: readonly string[]) => {
  const bills: string[] = []
  /** Cheques that are due. */
  const cheques: string[] = []
  const post = async (path: string, body?: unknown) => {
    const reply = await school().institute.owner.post(path, body)
    if (reply.status >= 300) throw new Error(`POST ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply.body
  }
  /** Issues an invoice to one student of each family. */
  const bill = async (): Promise<void> => {
    for (const studentId of school().studentIds) {
      const lines = [{ description: 'March', unitAmountMinor: 145_050 }]
      const { id } = await post('/invoices', { studentId, lines, dueDate: '2026-03-20' })
      await post(`/invoices/${id}/issue`)
      bills.push(id)
    }
  }
  const billed = async (): Promise<void> => {
    if (bills.length === 0) await bill()
  }
  const rows: Row[] = [
    { event: 'invoice.issued', what: 'invoices are issued', hears: payers, does: bill },
    {
      event: 'invoice.reminder_requested',
      what: 'somebody reminds of the invoices',
      hears: payers,
      given: billed,
      does: async () => {
        for (const id of bills) await post(`/invoices/${id}/remind`)
      },
    },
    {
      event: 'payment.recorded',
      what: 'a part of each invoice is paid',
      hears: payers,
      given: billed,
      does: async () => {
        const payment = { amountMinor: 45_050, currency: 'ILS', method: 'bank_transfer' }
        for (const id of bills) await post(`/invoices/${id}/payments`, payment)
      },
    },
    {
      event: 'receipt.sent',
      what: 'the office sends a receipt',
      hears: payers,
      over: ['email'],
      does: async () => {
        const { data } = (await school().institute.owner.get('/receipts')).body
        const ofEach = new Map<string, string>(
          data.map(({ id, studentIds }: { id: string; studentIds: string[] }) => [studentIds[0], id]),
        )
        for (const id of ofEach.values()) await post(`/receipts/${id}/send`)
      },
    },
    {
      event: 'cheque.bounced',
      what: 'the bank did not pay cheques',
      hears: payers,
      given: async () => {
        await billed()
        for (const [index, invoiceId] of bills.entries()) {
          const written = { bank: '12', branch: '345', account: '678901', number: String(1001 + index) }
          const cheque = { ...written, amountMinor: 45_050, dueOn: school().today }
          const allocations = [{ invoiceId, amountMinor: 45_050 }]
          cheques.push((await post('/cheques', { currency: 'ILS', cheques: [cheque], allocations })).cheques[0].id)
        }
      },
      does: async () => {
        for (const id of cheques) await post(`/cheques/${id}/bounce`, { reason: 'No cover' })
      },
    },
  ]
  return { rows, billed }
}
