!macro Words LANGUAGE WELCOME_TITLE WELCOME FINISH OPEN TOO_OLD STOPPING DOES_NOT_STOP BACKING_UP NO_BACKUP STARTING NO_SERVICE DOES_NOT_SERVE GOING_BACK WENT_BACK DATA_STAY
  LangString WelcomeTitle ${LANGUAGE} "${WELCOME_TITLE}"
  LangString WelcomeText ${LANGUAGE} "${WELCOME}"
  LangString FinishText ${LANGUAGE} "${FINISH}"
  LangString OpenIt ${LANGUAGE} "${OPEN}"
  LangString TooOld ${LANGUAGE} "${TOO_OLD}"
  LangString Stopping ${LANGUAGE} "${STOPPING}"
  LangString DoesNotStop ${LANGUAGE} "${DOES_NOT_STOP}"
  LangString BackingUp ${LANGUAGE} "${BACKING_UP}"
  LangString NoBackup ${LANGUAGE} "${NO_BACKUP}"
  LangString Starting ${LANGUAGE} "${STARTING}"
  LangString NoService ${LANGUAGE} "${NO_SERVICE}"
  LangString DoesNotServe ${LANGUAGE} "${DOES_NOT_SERVE}"
  LangString GoingBack ${LANGUAGE} "${GOING_BACK}"
  LangString WentBack ${LANGUAGE} "${WENT_BACK}"
  LangString DataStay ${LANGUAGE} "${DATA_STAY}"
!macroend

!insertmacro Words ${LANG_ENGLISH} \
  "Institute ${VERSION}" \
  "This computer becomes the server of your institute. The program runs as long as the computer is on, also when nobody is signed in.$\r$\n$\r$\nIf Institute is here already, it is brought to this version: it is backed up first, and if the new version does not start, the former one comes back." \
  "Institute is running.$\r$\n$\r$\nOther computers and phones reach it only if Windows calls this network private: Settings, Network & internet. Everything that the institute keeps is in C:\ProgramData\Institute." \
  "Open it in the browser" \
  "Institute needs Windows 10 or newer, 64-bit." \
  "Stopping the version that is here…" \
  "The version that is here does not stop. Restart the computer, then try again. Nothing was changed." \
  "Making a backup…" \
  "No backup could be made, so the version that was here goes on running. The details say why." \
  "Starting the institute…" \
  "The service could not be made. The details say why." \
  "The institute does not start. C:\ProgramData\Institute\logs\institute.log says why; perhaps another program uses port 8080." \
  "The new version does not start. Bringing the former one back…" \
  "The new version did not start. The former one runs again, with everything as it was. C:\ProgramData\Institute\logs\institute.log says why." \
  "The program is removed. Everything that the institute keeps stays, in C:\ProgramData\Institute."

!insertmacro Words ${LANG_ARABIC} \
  "Institute ${VERSION}" \
  "سيصبح هذا الحاسوب خادم معهدكم. يعمل البرنامج ما دام الحاسوب مشغّلًا، حتى إن لم يسجّل أحد الدخول إليه.$\r$\n$\r$\nإن كان البرنامج مثبّتًا هنا فسيُحدَّث إلى هذا الإصدار: تُؤخذ نسخة احتياطية أولًا، وإن لم يعمل الإصدار الجديد يعود الإصدار السابق." \
  "البرنامج يعمل.$\r$\n$\r$\nلا تصل إليه الحواسيب والهواتف الأخرى إلا إذا كانت هذه الشبكة في Windows شبكة خاصة: الإعدادات، الشبكة والإنترنت. كل بيانات المعهد محفوظة في C:\ProgramData\Institute." \
  "افتحه في المتصفح" \
  "يحتاج البرنامج إلى Windows 10 أو أحدث، 64 بت." \
  "جارٍ إيقاف الإصدار الموجود…" \
  "الإصدار الموجود لا يتوقف. أعد تشغيل الحاسوب ثم حاول مرة أخرى. لم يتغيّر شيء." \
  "جارٍ أخذ نسخة احتياطية…" \
  "تعذّر أخذ نسخة احتياطية، لذلك يواصل الإصدار السابق عمله. السبب مذكور في التفاصيل." \
  "جارٍ تشغيل البرنامج…" \
  "تعذّر إنشاء الخدمة. السبب مذكور في التفاصيل." \
  "البرنامج لا يعمل. السبب مذكور في C:\ProgramData\Institute\logs\institute.log؛ ربما يستخدم برنامج آخر المنفذ 8080." \
  "الإصدار الجديد لا يعمل. جارٍ إعادة الإصدار السابق…" \
  "لم يعمل الإصدار الجديد. عاد الإصدار السابق إلى العمل وكل شيء كما كان. السبب مذكور في C:\ProgramData\Institute\logs\institute.log." \
  "سيُزال البرنامج. تبقى كل بيانات المعهد في C:\ProgramData\Institute."

!insertmacro Words ${LANG_HEBREW} \
  "Institute ${VERSION}" \
  "המחשב הזה יהיה השרת שלכם. התוכנה פועלת כל עוד המחשב דולק, גם כשאף אחד לא מחובר אליו.$\r$\n$\r$\nאם התוכנה כבר מותקנת כאן, היא תעודכן לגרסה הזו: קודם נעשה גיבוי, ואם הגרסה החדשה לא עולה, הקודמת חוזרת." \
  "התוכנה פועלת.$\r$\n$\r$\nמחשבים וטלפונים אחרים מגיעים אליה רק אם הרשת מוגדרת ב־Windows כרשת פרטית: הגדרות, רשת ואינטרנט. כל הנתונים נשמרים ב־C:\ProgramData\Institute." \
  "לפתוח בדפדפן" \
  "נדרש Windows 10 ומעלה, 64 סיביות." \
  "עוצרים את הגרסה הקיימת…" \
  "הגרסה הקיימת לא נעצרת. הפעילו את המחשב מחדש ונסו שוב. שום דבר לא השתנה." \
  "עושים גיבוי…" \
  "לא ניתן היה לעשות גיבוי, ולכן הגרסה הקודמת ממשיכה לפעול. הסיבה מופיעה בפרטים." \
  "מפעילים את התוכנה…" \
  "לא ניתן היה להקים את השירות. הסיבה מופיעה בפרטים." \
  "התוכנה לא עולה. הסיבה רשומה ב־C:\ProgramData\Institute\logs\institute.log; ייתכן שתוכנה אחרת משתמשת ביציאה 8080." \
  "הגרסה החדשה לא עולה. מחזירים את הקודמת…" \
  "הגרסה החדשה לא עלתה. הקודמת פועלת שוב, והכול כפי שהיה. הסיבה רשומה ב־C:\ProgramData\Institute\logs\institute.log." \
  "התוכנה תוסר. כל הנתונים נשארים ב־C:\ProgramData\Institute."
