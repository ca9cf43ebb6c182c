/** README.txt of an archive: what is what, for whoever opens it in years, in the languages of the program. */

interface About {
  name: string
  createdAt: string
}

const english = ({ name, createdAt }: About): string => `Export of ${name}, as of ${createdAt} (UTC)

csv/       A file for each table, for spreadsheet programs: UTF-8, commas, the first line names the columns.
           A text that a program could take for a formula (it begins with = + - @, a tab or a return) has an
           apostrophe in front of it, which is not part of the text. Phone numbers begin with +.
json/      The same tables with nothing changed, for programs: an array, a record on each line.
files/     Uploaded files. Each name begins with the id under which json/file.json describes the file.
manifest.json  What is in the archive: rows and columns of each table; size and SHA-256 of each entry; files whose
           bytes were missing when the archive was made.

All tables show one moment; the files are those of that moment. Money is in the smallest unit of the currency: 45000 of
ILS is 450.00 shekels. Times are in UTC, dates are the institute's own. A column whose name ends in _id names a record
of another table by its id. user.csv has the accounts of members. Passwords, keys and other secrets are left out.
The archive contains personal data: keep it where nobody else can read it.
`

const arabic = ({
  name,
  createdAt,
}: About): string => `تصدير بيانات ${name}، كما كانت في ${createdAt} (بالتوقيت العالمي UTC)

csv/       ملف لكل جدول، لبرامج الجداول: ترميز UTF-8، مفصول بفواصل، والسطر الأول أسماء الأعمدة.
           النص الذي قد يظنه البرنامج معادلة (يبدأ بأحد الرموز = + - @ أو بعلامة جدولة أو سطر جديد) تسبقه علامة '
           وهي ليست جزءًا منه. أرقام الهواتف تبدأ بعلامة +.
json/      الجداول نفسها دون أي تغيير، للبرامج: مصفوفة، في كل سطر سجل.
files/     الملفات المرفوعة. يبدأ كل اسم بالمعرّف الذي يصفه به json/file.json.
manifest.json  محتويات الأرشيف: عدد الصفوف والأعمدة في كل جدول، وحجم كل عنصر وبصمته SHA-256، والملفات التي فُقد
           محتواها عند إنشاء الأرشيف.

تُظهر الجداول كلها لحظة واحدة، والملفات ملفات تلك اللحظة. المبالغ بأصغر وحدة من العملة: 45000 بعملة ILS تعني 450.00
شيكل. الأوقات بالتوقيت العالمي، والتواريخ بتقويم المعهد. العمود الذي ينتهي اسمه بـ _id يشير إلى سجل في جدول آخر.
في user.csv حسابات الأعضاء. لا يحتوي الأرشيف على كلمات مرور أو مفاتيح أو أسرار أخرى.
يحتوي الأرشيف على بيانات شخصية: احفظه حيث لا يقرؤه غيرك.
`

const hebrew = ({ name, createdAt }: About): string => `ייצוא הנתונים של ${name}, נכון ל-${createdAt} (לפי UTC)

csv/       קובץ לכל טבלה, לגיליונות אלקטרוניים: UTF-8, מופרד בפסיקים, השורה הראשונה היא שמות העמודות.
           לפני טקסט שתוכנה עלולה לקרוא כנוסחה (המתחיל ב-= + - @, בטאב או בשורה חדשה) עומד גרש, שאינו חלק ממנו.
           מספרי טלפון מתחילים ב-+.
json/      אותן טבלאות ללא שינוי, לתוכנות: מערך, רשומה בכל שורה.
files/     קבצים שהועלו. כל שם מתחיל במזהה שבו הקובץ מתואר ב-json/file.json.
manifest.json  תוכן הארכיון: מספר השורות והעמודות בכל טבלה, גודל ו-SHA-256 של כל פריט, וקבצים שתוכנם חסר בעת
           יצירת הארכיון.

כל הטבלאות מראות רגע אחד, והקבצים הם של אותו רגע. סכומים הם ביחידה הקטנה של המטבע: 45000 של ILS הם 450.00 שקלים.
השעות לפי UTC, התאריכים לפי המכון. עמודה ששמה מסתיים ב-_id מפנה לרשומה בטבלה אחרת לפי המזהה. ב-user.csv חשבונות
החברים. סיסמאות, מפתחות וסודות אחרים אינם כלולים.
הארכיון מכיל מידע אישי: שמרו אותו במקום שאיש מלבדכם אינו יכול לקרוא.
`

const RULE = `\n${'-'.repeat(78)}\n\n`

/** With a byte order mark and Windows line ends, so that every text editor shows it right. */
export const readme = (about: About): string =>
  `\uFEFF${[arabic, hebrew, english].map((language) => language(about)).join(RULE)}`.replaceAll('\n', '\r\n')
