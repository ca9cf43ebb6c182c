import { useDeferredValue } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { queryClient, useGet } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { useWords } from '../../words/language.tsx'
import { isSameName } from '../../../kernel/names.ts'
import { plainDigits } from '../../../kernel/typed.ts'
import { StudentStatus } from '../../records/student/status.tsx'
import { useDraft, type Draft } from './draft.ts'
import { isMuchOfPhone, phoneDigits, type Typed } from './typed.ts'

type Student = Schemas['Student']

const MOST = 5
const SHORTEST = 2
const SHORTEST_ID = 5

interface Asked {
  name: string
  phone: string
  nationalId: string
}

/** What a student is known by; '' where too little of it is typed. */
const askedOf = ({ student: { firstName, lastName, phone, nationalId } }: Typed): Asked => {
  const names = [firstName.trim(), lastName.trim()]
  const id = plainDigits(nationalId).trim()
  const isNamed = names.every((name) => name.length >= SHORTEST) && names.join(' ').length <= 200
  return {
    name: isNamed ? names.join(' ') : '',
    phone: isMuchOfPhone(phone) ? phoneDigits(phone) : '',
    nationalId: id.length >= SHORTEST_ID && id.length <= 50 ? id : '',
  }
}

const search = async (
  query: { q: string } | { nationalId: string },
  signal: AbortSignal | undefined,
): Promise<Student[]> =>
  (await answer(api.GET('/students', { params: { query: { ...query, limit: MOST } }, ...(signal && { signal }) }))).data

/** The students who have the same name, phone or identity number. */
const findTwins = async ({ name, phone, nationalId }: Asked, signal?: AbortSignal): Promise<Student[]> => {
  const found = await Promise.all([
    name === '' ? [] : search({ q: name }, signal).then((all) => all.filter((one) => isSameName(one.fullName, name))),
    phone === '' ? [] : search({ q: phone }, signal),
    nationalId === '' ? [] : search({ nationalId }, signal),
  ])
  return [...new Map(found.flat().map((student) => [student.id, student])).values()]
}

const keyOf = (asked: Asked) => ['/students', 'twins', asked] as const

/** Those of whom nobody said yet that they are others. */
const openOf = (found: readonly Student[], draft: Draft): Student[] =>
  found.filter(({ id }) => !draft.get().otherIds.includes(id) && id !== draft.lead?.studentId)

/** Looks once more, right before saving: somebody may have registered the same child in the meantime. */
export const hasTwins = async (draft: Draft): Promise<boolean> => {
  const asked = askedOf(draft.get().typed)
  const found = await queryClient.fetchQuery({ queryKey: keyOf(asked), queryFn: () => findTwins(asked), staleTime: 0 })
  return openOf(found, draft).length > 0
}

/** Says who is registered already and looks the same. */
export const Twins = ({ draft }: { draft: Draft }) => {
  const { register: words } = useWords()
  const { typed, otherIds } = useDraft(draft)
  const asked = askedOf(useDeferredValue(typed))
  const { data } = useGet(keyOf(asked), (signal) => findTwins(asked, signal))
  const twins = openOf(data ?? [], draft)
  if (twins.length === 0) return null
  const areOthers = () => draft.set({ otherIds: [...otherIds, ...twins.map(({ id }) => id)] })
  return (
    <Notice meaning="warn" isAlert>
      <div className="grow">
        <strong>{words.twinsTitle(twins.length)}</strong>
        <ul className="twins">
          {twins.map(({ id, fullName, studentNumber, status }) => (
            <li key={id}>
              <a href={`/students/${id}`} target="_blank" rel="noreferrer">
                <bdi>{fullName}</bdi> <span className="ltr">{studentNumber}</span>
              </a>
              <StudentStatus status={status} />
            </li>
          ))}
        </ul>
        <p>{words.twinsText}</p>
      </div>
      <Button onPress={areOthers}>{words.other}</Button>
    </Notice>
  )
}
