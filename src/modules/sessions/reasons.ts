import type { Locale } from '#shared/locale.ts'

/** Why lessons of a group do not take place any more. */
export const GROUP_REASONS = ['begins_later', 'ends_earlier', 'completed', 'cancelled'] as const
export type GroupReason = (typeof GROUP_REASONS)[number]

/** Of a lesson at a time at which the group does not meet any more, which stays because files are attached to it. */
export const OTHER_TIMES: Readonly<Record<Locale, string>> = {
  en: 'The group meets at other times.',
  ar: 'تجتمع المجموعة في أوقات أخرى.',
  he: 'הקבוצה נפגשת בזמנים אחרים.',
}

/** As families read it, in a message and on the page of the session. */
export const GROUP_REASON_TEXTS: Readonly<Record<Locale, Readonly<Record<GroupReason, string>>>> = {
  en: {
    begins_later: 'The group begins later.',
    ends_earlier: 'The group ends earlier.',
    completed: 'The group is completed.',
    cancelled: 'The group does not take place.',
  },
  ar: {
    begins_later: 'تبدأ المجموعة في موعد لاحق.',
    ends_earlier: 'تنتهي المجموعة قبل ذلك.',
    completed: 'انتهت المجموعة.',
    cancelled: 'أُلغيت المجموعة.',
  },
  he: {
    begins_later: 'הקבוצה מתחילה במועד מאוחר יותר.',
    ends_earlier: 'הקבוצה מסתיימת קודם לכן.',
    completed: 'הקבוצה סיימה.',
    cancelled: 'הקבוצה בוטלה.',
  },
}
