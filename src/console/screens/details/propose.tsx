import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { DateField } from '../../parts/date-field.tsx'
import { Field, LongField } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { usePhoneText } from '../../parts/phone.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { withPart } from '../../records/person/identity.tsx'
import type { Details } from '../../records/proposal/value.tsx'
import { useWords } from '../../words/language.tsx'

type OwnRecord = Schemas['OwnRecord']

const typedOf = (details: Details, phone: string, note: string) => ({
  firstName: details.firstName,
  lastName: details.lastName,
  birthDate: details.birthDate,
  phone,
  email: details.email ?? '',
  nationalId: details.nationalId ?? '',
  line1: details.address?.line1 ?? '',
  city: details.address?.city ?? '',
  note,
})

type Typed = ReturnType<typeof typedOf>

/** The values of all fields as they were typed. */
const valuesOf = (typed: Typed, { address }: Details) => ({
  firstName: typed.firstName.trim(),
  lastName: typed.lastName.trim(),
  birthDate: typed.birthDate,
  phone: typed.phone.trim() || null,
  email: typed.email.trim() || null,
  nationalId: typed.nationalId.trim() || null,
  address: withPart(withPart(address, 'line1', typed.line1.trim()), 'city', typed.city.trim()),
})

/** Asks for a change. What was asked for before and is open stands in the fields: this takes its place. */
export const Propose = ({ record, onClose }: { record: OwnRecord; onClose: () => void }) => {
  const { proposals: words, people, register, branches } = useWords()
  const phoneText = usePhoneText()
  const { studentId, guardianId, fullName, details, fields, proposal } = record
  const open = proposal?.status === 'open' ? proposal : undefined
  const stands = open?.proposed ?? details
  const may = (field: (typeof fields)[number]): boolean => fields.includes(field)
  const send = useChange('proposal', (body: Schemas['NewProposal'], header) =>
    answer(api.POST('/me/proposed-changes', { params: { header }, body })),
  )
  const form = useForm({
    start: () => typedOf(stands, phoneText(stands.phone), open?.note ?? ''),
    bounds: {
      ...BOUNDS.ProposedDetails,
      line1: BOUNDS.Address.line1,
      city: BOUNDS.Address.city,
      note: BOUNDS.NewProposal.note,
      firstName: { ...BOUNDS.ProposedDetails.firstName, isRequired: true },
      lastName: { ...BOUNDS.ProposedDetails.lastName, isRequired: true },
    },
    rules: ({ phone }) => ({
      phone: guardianId !== null && details.phone !== null && phone.trim() === '' && words.phoneMissing,
    }),
    refused: { phone: register.faults.noPhone },
    send: async (typed) => {
      const values = valuesOf(typed, stands)
      const changes = Object.fromEntries(fields.map((field) => [field, values[field]]))
      const note = typed.note.trim()
      const about = studentId === null ? { guardianId: guardianId ?? '' } : { studentId }
      await send.mutateAsync({ ...about, changes, ...(note !== '' && { note }) })
      toast(words.sent)
      onClose()
    },
  })
  const values = valuesOf(form.typed, stands)
  const kept = valuesOf(typedOf(details, phoneText(details.phone), ''), details)
  const isChanged = fields.some((field) => JSON.stringify(values[field]) !== JSON.stringify(kept[field]))
  return (
    <Sheet title={words.proposeFor(fullName)} isOpen onClose={onClose}>
      <Form form={form} verb={words.send} onCancel={onClose} isDisabled={!isChanged}>
        <div className="two">
          {may('firstName') && <Field label={people.firstName} {...form.field('firstName')} autoFocus />}
          {may('lastName') && <Field label={people.lastName} {...form.field('lastName')} />}
        </div>
        {may('birthDate') && <DateField label={people.birthDate} isPast isOptional {...form.field('birthDate')} />}
        {may('phone') && (
          <Field
            label={people.phone}
            type="tel"
            isLtr
            isOptional={guardianId === null || details.phone === null}
            {...form.field('phone')}
          />
        )}
        {may('email') && <Field label={people.email} type="email" isLtr isOptional {...form.field('email')} />}
        {may('nationalId') && (
          <Field label={register.nationalId} isLtr isOptional inputMode="numeric" {...form.field('nationalId')} />
        )}
        {may('address') && (
          <div className="two">
            <Field label={branches.street} isOptional {...form.field('line1')} />
            <Field label={branches.city} isOptional {...form.field('city')} />
          </div>
        )}
        <LongField label={words.note} isOptional {...form.field('note')} />
        <p className="soft">{words.follows}</p>
      </Form>
    </Sheet>
  )
}
