import { useState } from 'react'
import { fetchFile, keep } from '../../api/file.ts'
import { Problem } from '../../api/problem.ts'
import { Button } from '../../parts/button.tsx'
import { DateField } from '../../parts/date-field.tsx'
import { Section } from '../../parts/page.tsx'
import { explain } from '../../parts/problem-notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useLanguage, useWords } from '../../words/language.tsx'

const FILES = {
  journal: { path: '/accounting/journal', otherwise: 'journal.csv' },
  uniform: { path: '/accounting/uniform-file', otherwise: 'uniform-file.zip' },
} as const

/** What an accountant takes along of a time; at first of this year until today. */
export const Accountant = () => {
  const words = useWords()
  const { accountant } = words.reporting
  const { institute } = useMe()
  // Nobody else in the world asks for it, also where people pay in shekels.
  const isIsraeli = institute.country === 'IL' && institute.currency === 'ILS'
  const { locale } = useLanguage()
  const format = useFormat()
  const [from, setFrom] = useState<string | null>(`${format.today().slice(0, 4)}-01-01`)
  const [to, setTo] = useState<string | null>(format.today())
  const [busy, setBusy] = useState<keyof typeof FILES>()
  const get = async (which: keyof typeof FILES) => {
    if (busy || from === null || to === null) return
    setBusy(which)
    const { path, otherwise } = FILES[which]
    try {
      const file = await fetchFile(`${path}?${new URLSearchParams({ from, to })}`, locale, otherwise)
      keep(file)
      toast(words.shell.downloaded(file.name))
    } catch (error) {
      // A connection that breaks while the file comes says nothing of itself.
      toast(explain(words, error instanceof Problem ? error : new Problem(0)))
    } finally {
      setBusy(undefined)
    }
  }
  const file = (which: keyof typeof FILES) => (
    <Button icon="download" isBusy={busy === which} onPress={() => void get(which)}>
      {accountant[which]}
    </Button>
  )
  return (
    <Section title={accountant.title}>
      <div className="card padded">
        <p className="soft spaced">{accountant.about}</p>
        <div className="filters">
          <div className="range">
            <DateField label={words.reporting.from} value={from} onChange={setFrom} />
            <DateField label={words.reporting.to} value={to} onChange={setTo} />
          </div>
        </div>
        <p className="actions">
          {file('journal')}
          {isIsraeli && file('uniform')}
        </p>
        {isIsraeli && <p className="small below">{accountant.notCertified}</p>}
      </div>
    </Section>
  )
}
