import { useCallback, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { answer, api, type Schemas } from '../../api/client.ts'
import { ButtonLink } from '../../parts/button.tsx'
import type { Option } from '../../parts/choose.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Initials } from '../../parts/person.tsx'
import { SearchChoice } from '../../parts/search-choice.tsx'
import { toast } from '../../parts/toast.tsx'
import { explain } from '../../parts/problem-notice.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { writtenPhone } from '../../../shared/phone.ts'
import { plainDigits } from '../../../shared/typed.ts'
import { lookedAt } from '../../records/search/recent.ts'

const SHORTEST = 2

type Kind = Schemas['SearchedType']
const PAYING: readonly string[] = ['student', 'guardian', 'invoice'] satisfies Kind[]

const studentOfInvoice = async (id: string): Promise<string> =>
  (await answer(api.GET('/invoices/{id}', { params: { path: { id } } }))).studentId

const addressOf = (type: string, id: string): string => `/pay/${type === 'guardian' ? 'guardians' : 'students'}/${id}`

/** Who stands at the desk? */
export const Screen = () => {
  const words = useWords()
  const { payment } = words
  const { can } = useMe()
  const { zone } = useFormat()
  const [, go] = useLocation()
  const [kinds, setKinds] = useState<ReadonlyMap<string, string>>(new Map())
  const find = useCallback(
    async (text: string, signal: AbortSignal): Promise<Option<string>[]> => {
      const q = plainDigits(text.trim())
      if (q.length < SHORTEST) return []
      const { results } = await answer(api.GET('/search', { params: { query: { q } }, signal }))
      const paying = results.filter(({ type }) => PAYING.includes(type))
      setKinds(new Map(paying.map(({ id, type }) => [id, type])))
      return paying.map(({ id, label, sublabel }) => ({
        id,
        label,
        ...(sublabel !== null && { about: writtenPhone(sublabel, zone) }),
      }))
    },
    [zone],
  )
  const choose = ({ id }: Option<string>) => {
    const type = kinds.get(id) ?? 'student'
    if (type !== 'invoice') return go(addressOf(type, id))
    return void studentOfInvoice(id).then(
      (studentId) => go(`/pay/students/${studentId}?invoice=${id}`),
      (problem: unknown) => toast(explain(words, problem)),
    )
  }
  const recent = lookedAt().filter(({ type }) => type === 'student' || type === 'guardian')
  return (
    <Page
      title={payment.title}
      hasOwnFocus
      actions={
        <>
          <ButtonLink to="/till">{words.till.title}</ButtonLink>
          {can('invoices.read') && <ButtonLink to="/receipts">{words.invoices.receipts}</ButtonLink>}
        </>
      }
    >
      <div className="slim">
        <SearchChoice label={payment.who} hint={payment.whoHint} find={find} autoFocus onChoose={choose} />
        {recent.length > 0 && (
          <Section title={words.find.recent}>
            <ul className="card">
              {recent.map(({ id, type, label, sublabel }) => (
                <li key={id}>
                  <Link href={addressOf(type, id)} className="row">
                    <Initials name={label} />
                    <span className="grow">
                      <bdi className="name">{label}</bdi>
                      {sublabel !== null && <span className="about ltr-text">{writtenPhone(sublabel, zone)}</span>}
                    </span>
                    <Icon name="forward" />
                  </Link>
                </li>
              ))}
            </ul>
          </Section>
        )}
      </div>
    </Page>
  )
}
