import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Check, Choice } from '../../parts/choose.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Badge } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { explain } from '../../parts/problem-notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { FamilyReach } from '../../records/message/family-reach.tsx'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { branchOf, usePlaces } from './places.ts'
import { comingHolidays } from './coming.ts'
import type { Holiday } from './reads.ts'

const idOf = ({ key, from }: Holiday): string => `${key} ${from}`

/** The holidays of a year that are still to come and open, to be ticked and closed together. */
export const Holidays = ({ holidays, isThisYear }: { holidays: readonly Holiday[]; isThisYear: boolean }) => {
  const all = useWords()
  const { closures: words } = all
  const format = useFormat()
  const { defaultLocale } = useMe().institute
  const { options, first } = usePlaces()
  const [place, setPlace] = useState(first)
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const coming = comingHolidays(holidays, { today: format.today(), locale: defaultLocale, isThisYear })
  const open = coming.flatMap(({ own }) => own)
  const chosen = open.filter((holiday) => ticked.has(idOf(holiday)))
  const close = useChange('closure', (body: Schemas['NewClosures'], header) =>
    answer(api.POST('/closures/many', { params: { header }, body })),
  )
  const closeAll = async () => {
    try {
      const closed = chosen.map(({ name, from, to }) => ({ name: name[defaultLocale], from, to }))
      await close.mutateAsync({ closures: closed, branchId: branchOf(place) })
      setTicked(new Set())
      toast(words.closedHolidays(chosen.length))
    } catch (error) {
      toast(explain(all, error))
    }
  }
  const tick = (id: string, isTicked: boolean) => {
    const after = new Set(ticked)
    if (isTicked) after.add(id)
    else after.delete(id)
    setTicked(after)
  }
  if (open.length === 0) return null
  return (
    <Section
      title={words.holidays}
      actions={
        <Button
          look="primary"
          isDisabled={chosen.length === 0}
          isBusy={close.isPending}
          onPress={() => void closeAll()}
        >
          {words.closeTicked(chosen.length)}
        </Button>
      }
    >
      <p className="soft spaced">{words.holidaysAbout}</p>
      {chosen.length > 0 && <FamilyReach branchId={branchOf(place)} />}
      {options.length > 1 && <Choice label={words.where} options={options} value={place} onChange={setPlace} />}
      {coming.map(({ calendar, own }) => (
        <section key={calendar} className="calendar">
          <h3>{words.calendars[calendar]}</h3>
          <ul className="card" aria-label={words.calendars[calendar]}>
            {own.map((holiday) => (
              <li key={idOf(holiday)} className="row">
                <Check isChecked={ticked.has(idOf(holiday))} onChange={(isTicked) => tick(idOf(holiday), isTicked)}>
                  <span className="grow">
                    <bdi className="name">{holiday.name[format.locale]}</bdi>
                    <span className="about">
                      <Dotted>
                        {holiday.from === holiday.to
                          ? format.longDate(holiday.from)
                          : format.range(holiday.from, holiday.to)}
                      </Dotted>
                    </span>
                  </span>
                </Check>
                {holiday.isUpToTheMoon && <Badge meaning="info">{words.upToTheMoon}</Badge>}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Section>
  )
}
