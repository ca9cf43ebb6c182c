import type { Locale } from '#shared/locale.ts'
import type { ErrorSpec } from '#kernel/values/errors.ts'
import type { Content } from '#kernel/values/media.ts'
import type { FindInstitute } from './institute-of-host.ts'
import { smallPage, type SmallPage } from './small-page.ts'

type Kind = 'nothing' | 'private' | 'ended' | 'failed' | 'incomplete' | 'closed'

const TEXTS: Readonly<Record<Locale, Record<Kind, SmallPage>>> = {
  en: {
    nothing: {
      title: 'There is no page at this address',
      text: 'Check the address. If you followed a link, ask whoever sent it for a new one.',
      wayHome: 'Go to the start page',
    },
    private: {
      title: 'You may not see this page',
      text: 'It is for programs that have a token for it. Ask whoever runs the server.',
      wayHome: 'Go to the start page',
    },
    ended: {
      title: 'This link does not work any more',
      text: 'Links to files work for a few minutes only. Go back to where you found it and open it again.',
      wayHome: 'Go to the start page',
    },
    failed: {
      title: 'Something went wrong',
      text: 'The server cannot show this at the moment. Wait a little and try again.',
    },
    incomplete: {
      title: 'This link is not complete',
      text: 'Open it from the mail once more. If that does not help, answer the mail and ask the institute to stop writing to you.',
    },
    closed: {
      title: 'This institute is closed',
      text: 'It sends no more messages. There is nothing to do.',
    },
  },
  he: {
    nothing: {
      title: 'אין דף בכתובת הזאת',
      text: 'כדאי לבדוק את הכתובת. אם הגעתם דרך קישור, אפשר לבקש קישור חדש ממי ששלח אותו.',
      wayHome: 'לדף הבית',
    },
    private: {
      title: 'אין לכם גישה לדף הזה',
      text: 'הוא מיועד לתוכנות שיש להן אסימון גישה. אפשר לפנות למי שמפעיל את השרת.',
      wayHome: 'לדף הבית',
    },
    ended: {
      title: 'הקישור הזה כבר לא פעיל',
      text: 'קישורים לקבצים פעילים לדקות אחדות בלבד. אפשר לחזור למקום שבו הופיע הקישור ולפתוח אותו שוב.',
      wayHome: 'לדף הבית',
    },
    failed: {
      title: 'משהו השתבש',
      text: 'השרת לא יכול להציג את הדף כרגע. כדאי להמתין מעט ולנסות שוב.',
    },
    incomplete: {
      title: 'הקישור הזה אינו שלם',
      text: 'כדאי לפתוח אותו שוב מתוך ההודעה. אם זה לא עוזר, אפשר להשיב להודעה ולבקש מהמכון להפסיק לכתוב לכם.',
    },
    closed: {
      title: 'המכון הזה סגור',
      text: 'הוא כבר לא שולח הודעות. אין צורך לעשות דבר.',
    },
  },
  ar: {
    nothing: {
      title: 'لا توجد صفحة في هذا العنوان',
      text: 'يُرجى التحقق من العنوان. إذا وصلتم عبر رابط، فاطلبوا رابطًا جديدًا ممن أرسله.',
      wayHome: 'إلى الصفحة الرئيسية',
    },
    private: {
      title: 'ليس لديكم إذن لرؤية هذه الصفحة',
      text: 'هي مخصصة للبرامج التي لديها رمز دخول. يُرجى مراجعة من يدير الخادم.',
      wayHome: 'إلى الصفحة الرئيسية',
    },
    ended: {
      title: 'لم يعد هذا الرابط صالحًا',
      text: 'تعمل روابط الملفات بضع دقائق فقط. يُرجى العودة إلى مكان الرابط وفتحه من جديد.',
      wayHome: 'إلى الصفحة الرئيسية',
    },
    failed: {
      title: 'حدث خطأ ما',
      text: 'لا يستطيع الخادم عرض هذه الصفحة الآن. يُرجى الانتظار قليلًا ثم المحاولة مرة أخرى.',
    },
    incomplete: {
      title: 'هذا الرابط غير مكتمل',
      text: 'يُرجى فتحه من الرسالة مرة أخرى. إن لم يُفد ذلك فيمكن الرد على الرسالة والطلب من المعهد التوقف عن مراسلتكم.',
    },
    closed: {
      title: 'هذا المعهد مغلق',
      text: 'لم يعد يرسل أي رسائل، ولا يلزم فعل شيء.',
    },
  },
}

/** Refusals that have a page of their own, by their names. */
const OWN_PAGES: Readonly<Record<string, Kind>> = {
  address_refused: 'ended',
  opt_out_link_refused: 'incomplete',
  tenant_suspended: 'closed',
}

const kindOf = ({ name, status }: Pick<ErrorSpec, 'name' | 'status'>): Kind => {
  const own = OWN_PAGES[name]
  if (own) return own
  if (status === 401) return 'private'
  return status >= 500 || status === 429 ? 'failed' : 'nothing'
}

/**
 * Makes the pages of refusals that people see, in their language.
 * @param findInstitute is not asked when the server is in trouble; without an answer the page has no name
 */
export const errorPages =
  (findInstitute: FindInstitute) =>
  async (refusal: Pick<ErrorSpec, 'name' | 'status'>, language: Locale, host: string): Promise<Content> => {
    const kind = kindOf(refusal)
    const institute = kind === 'failed' ? undefined : await findInstitute(host).catch(() => undefined)
    return smallPage(language, { ...TEXTS[language][kind], institute: institute?.name })
  }
