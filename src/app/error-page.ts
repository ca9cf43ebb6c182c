import type { Locale } from '#kernel/actor.ts'
import type { Content } from '#kernel/media.ts'
import { OWN_PARTS_ONLY, SAFE_HEADERS } from './page-file.ts'

interface Text {
  title: string
  text: string
}

type Kind = 'nothing' | 'refused' | 'failed'

const TEXTS: Readonly<Record<Locale, Record<Kind, Text>>> = {
  en: {
    nothing: {
      title: 'There is no page at this address',
      text: 'Check the address. If you followed a link, ask whoever sent it for a new one.',
    },
    refused: {
      title: 'This link does not work any more',
      text: 'Links to files work for a few minutes only. Go back to where you found it and open it again.',
    },
    failed: {
      title: 'Something went wrong',
      text: 'The server cannot show this at the moment. Wait a little and try again.',
    },
  },
  he: {
    nothing: {
      title: 'אין דף בכתובת הזאת',
      text: 'כדאי לבדוק את הכתובת. אם הגעתם דרך קישור, אפשר לבקש קישור חדש ממי ששלח אותו.',
    },
    refused: {
      title: 'הקישור הזה כבר לא פעיל',
      text: 'קישורים לקבצים פעילים לדקות אחדות בלבד. אפשר לחזור למקום שבו הופיע הקישור ולפתוח אותו שוב.',
    },
    failed: {
      title: 'משהו השתבש',
      text: 'השרת לא יכול להציג את הדף כרגע. כדאי להמתין מעט ולנסות שוב.',
    },
  },
  ar: {
    nothing: {
      title: 'لا توجد صفحة في هذا العنوان',
      text: 'يُرجى التحقق من العنوان. إذا وصلتم عبر رابط، فاطلبوا رابطًا جديدًا ممن أرسله.',
    },
    refused: {
      title: 'لم يعد هذا الرابط صالحًا',
      text: 'تعمل روابط الملفات بضع دقائق فقط. يُرجى العودة إلى مكان الرابط وفتحه من جديد.',
    },
    failed: {
      title: 'حدث خطأ ما',
      text: 'لا يستطيع الخادم عرض هذه الصفحة الآن. يُرجى الانتظار قليلًا ثم المحاولة مرة أخرى.',
    },
  },
}

const kindOf = (status: number): Kind =>
  status === 404 ? 'nothing' : status >= 500 || status === 429 ? 'failed' : 'refused'

/** The error page that a person sees, in their language. It needs no script. */
export const errorPage = (status: number, language: Locale): Content => {
  const { title, text } = TEXTS[language][kindOf(status)]
  return {
    type: 'text/html; charset=utf-8',
    headers: { ...SAFE_HEADERS, 'Content-Security-Policy': OWN_PARTS_ONLY },
    body: `<!doctype html>
<html lang="${language}" dir="${language === 'en' ? 'ltr' : 'rtl'}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex" />
    <title>${title}</title>
    <link rel="icon" href="/setup/assets/mark.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/setup/assets/style/base.css" />
    <link rel="stylesheet" href="/setup/assets/style/frame.css" />
    <link rel="stylesheet" href="/setup/assets/style/screens.css" />
  </head>
  <body>
    <header>
      <p class="brand">
        <img src="/setup/assets/mark.svg" alt="" width="36" height="36" /><bdi lang="en">Institute</bdi>
      </p>
    </header>
    <main>
      <section>
        <h1>${title}</h1>
        <p class="lead">${text}</p>
      </section>
    </main>
  </body>
</html>
`,
  }
}
