import type { Locale } from '#shared/locale.ts'

export const HOLIDAY_CALENDARS = ['jewish', 'muslim', 'western', 'eastern', 'country'] as const
export type HolidayCalendar = (typeof HOLIDAY_CALENDARS)[number]
export type HolidayName = Readonly<Record<Locale, string>>

interface Common {
  key: string
  calendar: HolidayCalendar
  name: HolidayName
  /** Days, from the first on. */
  length: number
  /** Only in this country; absent: wherever its people live. */
  country?: 'IL' | 'PS' | 'JO'
  /** By weekday, 0 being Sunday: by how many days it moves when it would fall on it. */
  shifts?: Readonly<Record<number, number>>
}

/** A holiday and how its day is found. */
export type Feast = Common &
  (
    | { by: 'jewish' | 'muslim'; on: string }
    | { by: 'western_easter' | 'eastern_easter'; after: number }
    /** MM-DD. */
    | { by: 'date'; on: string }
  )

const name = (en: string, ar: string, he: string): HolidayName => ({ en, ar, he })

const jewish = (key: string, on: string, length: number, names: HolidayName, shifts = {}): Feast => ({
  key,
  calendar: 'jewish',
  by: 'jewish',
  on,
  length,
  name: names,
  shifts,
})
const muslim = (key: string, on: string, length: number, names: HolidayName): Feast => ({
  key,
  calendar: 'muslim',
  by: 'muslim',
  on,
  length,
  name: names,
})
const dated = (key: string, calendar: HolidayCalendar, on: string, names: HolidayName): Feast => ({
  key,
  calendar,
  by: 'date',
  on,
  length: 1,
  name: names,
})
const national = (country: 'IL' | 'PS' | 'JO', key: string, on: string, names: HolidayName): Feast => ({
  ...dated(key, 'country', on, names),
  country,
})

/** Days around Easter of one of the computations. */
const easter = (
  calendar: 'western' | 'eastern',
  key: string,
  after: number,
  length: number,
  names: HolidayName,
): Feast => ({
  key: `${calendar}_${key}`,
  calendar,
  by: calendar === 'western' ? 'western_easter' : 'eastern_easter',
  after,
  length,
  name: names,
})

const LABOUR_DAY = name('Labour Day', 'عيد العمال', 'יום הפועלים')

export const HOLIDAYS: readonly Feast[] = [
  jewish('rosh_hashanah', 'Tishri 1', 2, name('Rosh Hashanah', 'رأس السنة العبرية', 'ראש השנה')),
  jewish('yom_kippur', 'Tishri 9', 2, name('Yom Kippur', 'يوم الغفران', 'יום כיפור')),
  jewish('sukkot', 'Tishri 15', 8, name('Sukkot', 'عيد العُرش', 'סוכות ושמחת תורה')),
  jewish('hanukkah', 'Kislev 25', 8, name('Hanukkah', 'عيد الأنوار (حانوكا)', 'חנוכה')),
  jewish('purim', 'Adar 14', 2, name('Purim', 'عيد المساخر (بوريم)', 'פורים')),
  jewish('pesach', 'Nisan 15', 7, name('Passover', 'عيد الفصح العبري', 'פסח')),
  jewish('lag_baomer', 'Iyar 18', 1, name('Lag BaOmer', 'عيد الشعلة (لاغ بعومر)', 'ל״ג בעומר')),
  jewish('shavuot', 'Sivan 6', 1, name('Shavuot', 'عيد الأسابيع (شفوعوت)', 'שבועות')),
  // A fast gives way to the Sabbath.
  jewish('tisha_beav', 'Av 9', 1, name('Tisha B’Av', 'ذكرى خراب الهيكل', 'תשעה באב'), { 6: 1 }),
  {
    // On 5 Iyar, unless that would profane the Sabbath.
    ...jewish('independence_day_il', 'Iyar 5', 1, name('Independence Day', 'يوم الاستقلال', 'יום העצמאות'), {
      1: 1,
      5: -1,
      6: -2,
    }),
    calendar: 'country',
    country: 'IL',
  },
  muslim('hijri_new_year', '1 1', 1, name('Islamic New Year', 'رأس السنة الهجرية', 'ראש השנה ההיג׳רי')),
  muslim('mawlid', '3 12', 1, name('Birth of the Prophet', 'المولد النبوي الشريف', 'הולדת הנביא')),
  muslim('isra', '7 27', 1, name('Isra and Mi’raj', 'الإسراء والمعراج', 'אל־אסראא ואל־מעראג׳')),
  muslim('eid_al_fitr', '10 1', 3, name('Eid al-Fitr', 'عيد الفطر', 'עיד אל־פיטר')),
  muslim('eid_al_adha', '12 9', 5, name('Eid al-Adha', 'عيد الأضحى', 'עיד אל־אדחא')),
  dated('western_christmas', 'western', '12-25', name('Christmas', 'عيد الميلاد المجيد', 'חג המולד')),
  dated('western_epiphany', 'western', '01-06', name('Epiphany', 'عيد الغطاس', 'חג ההתגלות')),
  easter(
    'western',
    'easter',
    -2,
    4,
    name('Good Friday and Easter', 'الجمعة العظيمة وعيد الفصح', 'יום שישי הטוב ופסחא'),
  ),
  easter('western', 'ascension', 39, 1, name('Ascension', 'خميس الصعود', 'חג העלייה')),
  easter('western', 'pentecost', 50, 1, name('Whit Monday', 'اثنين العنصرة', 'יום שני של שבועות הנוצרי')),
  dated(
    'eastern_christmas',
    'eastern',
    '01-07',
    name('Christmas (Eastern)', 'عيد الميلاد المجيد (شرقي)', 'חג המולד (מזרחי)'),
  ),
  dated('eastern_epiphany', 'eastern', '01-19', name('Epiphany (Eastern)', 'عيد الغطاس (شرقي)', 'חג ההתגלות (מזרחי)')),
  easter(
    'eastern',
    'easter',
    -2,
    4,
    name('Good Friday and Easter (Eastern)', 'الجمعة العظيمة وعيد الفصح (شرقي)', 'יום שישי הטוב ופסחא (מזרחי)'),
  ),
  national('PS', 'new_year_ps', '01-01', name('New Year', 'رأس السنة الميلادية', 'ראש השנה האזרחית')),
  national('PS', 'womens_day_ps', '03-08', name('Women’s Day', 'يوم المرأة العالمي', 'יום האישה')),
  national('PS', 'labour_day_ps', '05-01', LABOUR_DAY),
  national('PS', 'nakba_day_ps', '05-15', name('Nakba Day', 'ذكرى النكبة', 'יום הנכבה')),
  national('PS', 'independence_day_ps', '11-15', name('Independence Day', 'عيد الاستقلال', 'יום העצמאות הפלסטיני')),
  national('JO', 'new_year_jo', '01-01', name('New Year', 'رأس السنة الميلادية', 'ראש השנה האזרחית')),
  national('JO', 'labour_day_jo', '05-01', LABOUR_DAY),
  national('JO', 'independence_day_jo', '05-25', name('Independence Day', 'عيد الاستقلال', 'יום העצמאות של ירדן')),
]
