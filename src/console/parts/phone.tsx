import { writtenPhone } from '../../shared/phone.ts'
import { useFormat } from '../words/language.tsx'

/** Writes phone numbers as people of the institute's country do. */
export const usePhoneText = (): ((number: string | null | undefined) => string) => {
  const { zone } = useFormat()
  return (number) => (number ? writtenPhone(number, zone) : '')
}

/** A phone number to read. */
export const PhoneNumber = ({ number }: { number: string | null | undefined }) => {
  const written = usePhoneText()
  return number ? <span className="ltr phone-number">{written(number)}</span> : null
}
