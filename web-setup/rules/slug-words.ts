/**
 * Words of institute names in their usual Latin spelling. Neither script writes most of its vowels, so a letter-by-letter
 * map would lose them. Arabic words are without article, hamza and marks, and end in ه where they are written with ة.
 */

/** @param text lines of `word latin` */
const table = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .trim()
      .split(/\s*[\n,]\s*/)
      .map((line) => line.split(' ') as [string, string]),
  )

export const ARABIC_WORDS = table(`
معهد maahad, معاهد maahid, مركز markaz, مراكز marakiz, مدرسه madrasa, مدارس madaris, اكاديميه academia, كليه kulliya
جامعه jamia, روضه rawda, دار dar, بيت beit, نادي nadi, جمعيه jamiya, مؤسسه muassasa, موسسه muassasa, مجمع mujamma
نور noor, انوار anwar, امل amal, قدس quds, علم ilm, علوم uloom, عالم alam, معرفه marifa, حكمه hikma, فكر fikr, عقل aql
ابداع ibdaa, تميز tamayuz, نجاح najah, مستقبل mustaqbal, تفوق tafawuq, ريادة riyada, رياده riyada, رواد ruwad, قمه qimma
افق ufuq, افاق afaq, شروق shorouq, فجر fajr, شمس shams, نجوم nujoom, نجم najm, سلام salam, اقصى aqsa, اقصي aqsa, هدى huda, هدي huda
ايمان iman, رحمه rahma, بركه baraka, توفيق tawfiq, فرقان furqan, قران quran, كريم karim, تحفيظ tahfiz, تجويد tajweed
شريعه sharia, اسلاميه islamiya, اسلامي islami, عربيه arabiya, عربي arabi, لغه lugha, لغات lughat, انجليزيه english, انجليزي english
عبريه hebrew, فرنسيه french, تعليم taleem, تعليمي taleemi, تعليميه taleemiya, تربيه tarbiya, تربوي tarbawi, تدريب tadreeb
دراسات dirasat, دروس duroos, تدريس tadrees, تعلم taallum, تقويه taqwiya, موسيقى musiqa, موسيقي musiqa, فنون funoon, فن fann
رسم rasm, رقص raqs, مسرح masrah, رياضيات riyadiyat, رياضه riyada, حاسوب hasoob, كمبيوتر computer, تكنولوجيا technologia
برمجه barmaja, هندسه handasa, فيزياء fizia, كيمياء kimia, تمريض tamreed, ثقافه thaqafa, ثقافي thaqafi, ثقافيه thaqafiya
شباب shabab, اطفال atfal, طفل tifl, طفوله tufoola, اجيال ajyal, جيل jeel, طلاب tullab, اسره usra, مجتمع mujtama
حياه hayat, سعاده saada, فرح farah, زهراء zahra, زهره zahra, ياسمين yasmin, ورد ward, زيتون zaytoun, زيتونه zaytouna, ارز arz
مدينه madina, وادي wadi, جبل jabal, بحر bahr, كرمل carmel, جليل jaleel, مثلث muthallath, نقب naqab, قدسيه qudsiya
ناصره nasira, خصوصيه khususiya, مطران mutran, ثانويه thanawiya, ابتدائيه ibtidaiya, حيفا haifa, يافا yafa, عكا akka, رام ram, الله allah, خليل khalil, نابلس nablus, جنين jenin, غزه gaza
طيبه tayibe, طيره tira, باقه baqa, غربيه gharbiya, شرقيه sharqiya, ام um, فحم fahm, سخنين sakhnin, طمره tamra, شفاعمرو shefaamr
رهط rahat, بئر beer, سبع sabaa, لد lod, رمله ramla, عمان amman, بيروت beirut, دمشق dimashq, قاهره qahira, فلسطين filastin
ابن ibn, سينا sina, رشد rushd, خلدون khaldoun, بطوطه battuta, هيثم haytham, خوارزمي khawarizmi, فارابي farabi, كندي kindi
محمد mohammad, احمد ahmad, محمود mahmoud, عبد abd, علي ali, عمر omar, خالد khaled, سليم salim, حسن hasan, حسين hussein
خالديه khalidiya, هاشميه hashimiya, حداد haddad, منصور mansour, خوري khoury, زعبي zoabi, اندلس andalus, اندلسيه andalusiya
دوليه dawliya, دولي dawli, حديث hadeeth, حديثه haditha, اهليه ahliya, خاصه khassa, عليا ulya, جديده jadida, جديد jadid, اولى oula, اولي oula
مهارات maharat, مهاره mahara, نخبه nukhba, خبراء khubara, بوابه bawaba, جسر jisr, جسور jusoor, خطوه khatwa, بدايه bidaya
في fi, من min, مع maa, بلا bila, و wa, فرع far, قلم qalam, اقلام aqlam, كتاب kitab, كتب kutub, حروف huroof, كلمه kalima, اقرا iqra
`)

export const HEBREW_WORDS = table(`
מכון machon, מכוני mechonei, מרכז merkaz, מרכזי merkazi, מכללה michlala, מכללת michlelet, אקדמיה academia, אקדמיית academiat
אולפן ulpan, אולפנת ulpenat, אולפנה ulpana, בית beit, בתי batei, ספר sefer, מדרשה midrasha, מדרשת midreshet, מדרש midrash, ישיבה yeshiva, ישיבת yeshivat
תלמוד talmud, תורה torah, גן gan, גני ganei, ילדים yeladim, ילד yeled, נוער noar, צעירים tzeirim, קונסרבטוריון conservatorion, סטודיו studio
חוג chug, חוגים chugim, מועדון moadon, עמותה amuta, עמותת amutat, מתנס matnas, היכל heichal, אור or, אורות orot, אורה ora, אורי ori
תקווה tikva, תקוה tikva, שלום shalom, אמת emet, אמונה emuna, דעת daat, חכמה chochma, חוכמה chochma, בינה bina, תבונה tvuna, השכלה haskala
ידע yeda, לימוד limud, לימודים limudim, לימודי limudei, למידה lemida, הוראה horaa, מורים morim, מורה moreh, חינוך chinuch, חינוכי chinuchi
הדרכה hadracha, הכשרה hachshara, הכנה hachana, מצוינות metzuyanut, מצויינות metzuyanut, הצלחה hatzlacha, הישג hesseg, הישגים hesegim, עתיד atid, מחר machar
דרך derech, נתיב nativ, נתיבים netivim, גשר gesher, גשרים gsharim, כוכב kochav, כוכבים kochavim, שמש shemesh, שחר shachar, זריחה zricha, אופק ofek, אופקים ofakim
פסגה pisga, שיא si, צמיחה tzmicha, ניצן nitzan, ניצנים nitzanim, פרח perach, פרחים prachim, אילן ilan, אלון alon, אורן oren, ארז erez, זית zayit, תמר tamar, דקל dekel, הדס hadas, הדר hadar
שפה safa, שפות safot, לשון lashon, עברית ivrit, אנגלית anglit, ערבית aravit, צרפתית tzarfatit, רוסית rusit, ספרדית sfaradit
מוזיקה muzika, מוסיקה musika, מוזיקלי muzikali, אמנות omanut, אומנות omanut, אמנויות omanuyot, ציור tziyur, מחול machol, ריקוד rikud, בלט ballet, תיאטרון teatron, דרמה drama, שירה shira, נגינה negina, פסנתר psanter, גיטרה gitara
מדע mada, מדעים madaim, מדעי madaei, מתמטיקה matematika, פיזיקה fizika, מחשבים machshevim, מחשב machshev, טכנולוגיה technologia, הנדסה handasa, רובוטיקה robotika, תכנות tichnut, הייטק hitech, סייבר cyber
ספורט sport, שחייה schiya, כדורגל kaduregel, קראטה karate, יוגה yoga, שחמט shachmat, בריאות briut, סיעוד siud, עסקים asakim, ניהול nihul, חשבונאות cheshbonaut, משפטים mishpatim
קהילה kehila, קהילתי kehilati, משפחה mishpacha, חברה chevra, תרבות tarbut, ישראל israel, ישראלי israeli, ישראלית israelit, ציון zion, ירושלים jerusalem, ירושלמי yerushalmi
תל tel, אביב aviv, חיפה haifa, נצרת natzeret, באר beer, שבע sheva, אשדוד ashdod, אשקלון ashkelon, נתניה netanya, הרצליה herzliya, רעננה raanana, כפר kfar, סבא saba, רמת ramat, רמה rama, פתח petach, ראשון rishon, לציון lezion, רחובות rehovot
חולון holon, בת bat, ים yam, עכו akko, צפת tzfat, טבריה tveria, אילת eilat, מודיעין modiin, כרמל carmel, כרמיאל karmiel, גליל galil, נגב negev, שרון sharon, עמק emek, הר har, גבעת givat, קריית kiryat, קרית kiryat, מעלה maale, עיר ir, צפון tzafon, דרום darom, מזרח mizrach, מערב maarav
בן ben, אבן even, דוד david, משה moshe, אברהם avraham, יצחק yitzhak, יעקב yaakov, יוסף yosef, שרה sara, רחל rachel, לאה lea, מרים miriam, אסתר ester, חנה chana, רמבם rambam, הרצל herzl, ביאליק bialik, וייצמן weizmann, רבין rabin, גוריון gurion
כהן cohen, לוי levi, מזרחי mizrachi, פרץ peretz, ביטון biton, אדלר adler, גולן golan, ברק barak, חי chai, טוב tov, טובה tova, חדש chadash, חדשה chadasha, גדול gadol, קטן katan, ראשונה rishona, עליון elyon, תיכון tichon, תיכונית tichonit, יסודי yesodi
קול kol, לב lev, נפש nefesh, גוף guf, יד yad, עין ayin, פה pe, רעות reut, שלהבת shalhevet, קשת keshet, כתר keter, מגדל migdal, מגדלור migdalor, חלון chalon, עולם olam, עולמות olamot, עולים olim, מבט mabat, מפתח mafteach, של shel, על al, את et, עם im, ללא lelo, לכל lekol, כל kol, אחד echad
הורים horim, דנה dana, הדסה hadassah, ויצמן weizmann, תגבור tigbur, קידום kidum, פסיכומטרי psychometri, פסיכומטרית psychometrit, פרפר parpar, צביה tzvia, הילה hila, הגשמה hagshama, המשך hemshech, היסוד hayesod, והב vehav
`)
