import { createHash } from 'node:crypto'
import { once } from '#kernel/basics/once.ts'
import { readAsset } from '#executable/assets.ts'
import { OWN_PARTS_ONLY } from './page-file.ts'

/**
 * What a page with a script says where the script cannot run: a browser that runs none, one that is too old, and a page of
 * which a part did not come. It stands in the page itself, so that it is there when nothing else is.
 */

/**
 * The oldest browsers that a page is for.
 * - `console`: Chromium 109, Firefox 115, Safari 16.4;
 * - `families`: Chromium 92, Firefox 91, Safari 15.4.
 */
export type Needs = 'console' | 'families'

/**
 * Looks at the browser before anything else of the page runs, and waits for parts that do not come. It is written for
 * browsers of any age, and part of the page: nothing can be missing of it.
 */
const read = once(() => ({ script: readAsset('web-setup/floor.js').toString('utf8') }))

/** The policy of a page with that script. */
export const withFloor = (policy = OWN_PARTS_ONLY): string => {
  const hash = createHash('sha256').update(read().script).digest('base64')
  return policy.replace("script-src 'self'", `$& 'sha256-${hash}'`)
}

/** At the beginning of the head, before what may not come. */
export const floorScript = (): string => `    <script>${read().script}</script>\n`

/** Words for browsers that run no script, for old ones, and for a page of which a part is missing. */
export const TROUBLE = `      <noscript>
        <p lang="ar" dir="rtl">تحتاج هذه الصفحة إلى JavaScript. يُرجى تفعيله في المتصفح ثم تحديث الصفحة.</p>
        <p lang="he" dir="rtl">הדף הזה דורש JavaScript. נא להפעיל אותו בדפדפן ולרענן את הדף.</p>
        <p lang="en" dir="ltr">This page needs JavaScript. Please turn it on in the browser and reload the page.</p>
      </noscript>
      <div id="trouble" class="trouble" role="alert">
        <div id="trouble-old" hidden>
          <p lang="ar" dir="rtl">هذا المتصفح قديم ولا يعرض هذه الصفحة. يُرجى تحديثه، أو فتح الصفحة في إصدار حديث من <bdi>Chrome</bdi> أو <bdi>Edge</bdi> أو <bdi>Firefox</bdi> أو <bdi>Safari</bdi>. وآخر إصدار منها لنظام <bdi>Windows 7</bdi> كافٍ أيضًا.</p>
          <p lang="he" dir="rtl">הדפדפן הזה ישן מדי לדף הזה. נא לעדכן אותו, או לפתוח את הדף בגרסה עדכנית של <bdi>Chrome</bdi>, <bdi>Edge</bdi>, <bdi>Firefox</bdi> או <bdi>Safari</bdi>. גם הגרסה האחרונה שלהם ל־<bdi>Windows 7</bdi> מתאימה.</p>
          <p lang="en" dir="ltr">This browser is too old for this page. Please update it, or open the page in a current Chrome, Edge, Firefox or Safari. The last of them for Windows 7 is new enough too.</p>
        </div>
        <div id="trouble-broken">
          <p lang="ar" dir="rtl">لم تكتمل هذه الصفحة. يُرجى إعادة تحميلها، وإن لم يُفد ذلك فيُرجى المحاولة بعد بضع دقائق.</p>
          <p lang="he" dir="rtl">משהו בדף הזה לא נטען. נא לרענן את הדף. אם זה לא עוזר, כדאי לנסות שוב בעוד כמה דקות.</p>
          <p lang="en" dir="ltr">This page did not load completely. Please reload it. If that does not help, try again in a few minutes.</p>
          <p><a class="button" href=""><span lang="ar">إعادة التحميل</span> · <span lang="he">רענון הדף</span> · <span lang="en">Reload</span></a></p>
        </div>
      </div>
`
