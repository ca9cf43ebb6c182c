/** Names as they occur in the institute of a mixed town. */
const GIVEN = [
  ['Arabic', ['محمد', 'أحمد', 'ليان', 'نور', 'يوسف', 'مريم', 'آدم', 'سلمى', 'عُمَر', 'رؤى']],
  ['Hebrew', ['נועה', 'איתי', 'תמר', 'יובל', 'שירה', 'אורי', 'מאיה', 'דניאל', 'הילה', 'עמית']],
  ['Latin', ['Zoë', 'José', 'Anna-Maria', 'Łukasz', 'Renée', 'Ivan', 'Søren', 'Chloé', 'Max', 'Inês']],
] as const
const FAMILY = {
  Arabic: ['حداد', 'الخطيب', 'أبو ريا', 'نصّار', 'زعبي', 'خوري'],
  Hebrew: ['כהן', 'לוי', 'פרץ', 'בן-דוד', 'אברהם', 'מזרחי'],
  Latin: ["O'Brien", 'García', 'Müller', 'Nowak', 'van der Berg', 'Smith'],
} as const

const pick = (list: readonly string[], index: number): string => list[index % list.length] as string

export const personName = (index: number): { firstName: string; lastName: string } => {
  const [script, given] = GIVEN[index % GIVEN.length] as (typeof GIVEN)[number]
  return {
    firstName: pick(given, Math.floor(index / GIVEN.length)),
    lastName: pick(FAMILY[script], Math.floor(index / 7)),
  }
}
