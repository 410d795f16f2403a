import type { Translated } from '../translated.ts'
import type { sessions as english } from '../en/sessions.ts'

export const sessions: Translated<typeof english> = {
  title: 'جلساتك',
  text: 'كل متصفح سجّلت الدخول فيه. تنتهي الجلسة بعد 30 دقيقة بلا نشاط، وبعد 12 ساعة في كل الأحوال.',
  browser: 'المتصفح',
  address: 'العنوان',
  lastSeen: 'آخر استخدام',
  signedIn: 'وقت تسجيل الدخول',
  current: 'هذا المتصفح',
  end: 'إنهاء',
  ended: 'انتهت الجلسة.',
  everywhere: 'تسجيل الخروج من كل مكان',
  unknownBrowser: 'متصفح غير معروف',
}
