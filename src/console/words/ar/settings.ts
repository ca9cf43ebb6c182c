import type { settings as english } from '../en/settings.ts'

export const settings: typeof english = {
  title: 'الإعدادات',
  items: {
    institute: {
      title: 'المعهد',
      text: 'الاسم واللغة والشعار واللون وفصول السنة والنص أسفل الفواتير.',
    },
    branches: { title: 'الفروع', text: 'الأماكن التي تُعلّمون فيها، مع العنوان والهاتف.' },
    people: { title: 'الأشخاص والأدوار', text: 'من يمكنه الدخول، وما يمكن لكل منهم فعله.' },
    website: { title: 'نموذج على موقعكم', text: 'سطر واحد لموقعكم، تسجّل العائلات نفسها من خلاله.' },
    mail: { title: 'البريد', text: 'صندوق البريد الذي تخرج منه الدعوات والفواتير والرسائل، مع تجربة.' },
    backups: { title: 'النسخ الاحتياطية', text: 'نسخ من كل شيء: ما هو موجود منها، ونسخة أخرى متى أردتم.' },
    server: { title: 'الخادم', text: 'هل كل شيء سليم فيه، ورخصته.' },
  },
  toDo: {
    noLogo: 'لا شعار بعد',
    alone: 'لم يُدعَ أحد بعد',
    noForm: 'ليس هناك بعد',
    formOff: 'متوقف',
    noMail: 'لا يخرج بريد',
    noBackup: 'لا نسخة بعد',
    backupWrong: 'يحتاج إلى نظرة',
  },
}
