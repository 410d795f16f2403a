import type { Translated } from '../translated.ts'
import type { requestLog as english } from '../en/request-log.ts'

export const requestLog: Translated<typeof english> = {
  title: 'سجل الطلبات',
  text: 'طلبات آخر سبعة أيام. لا يُسجَّل متن الطلبات ولا القيم في العناوين.',
  request: 'الطلب',
  method: 'الأسلوب',
  route: 'المسار',
  status: 'الحالة',
  statusClass: 'النتيجة',
  statusClasses: { '2xx': '2xx نجاح', '3xx': '3xx إعادة توجيه', '4xx': '4xx رفض', '5xx': '5xx فشل' },
  requestId: 'معرّف الطلب',
  caller: 'مرسل الطلب',
  key: 'مفتاح API',
  duration: 'المدة',
  milliseconds: (ms: string) => `${ms} م.ث`,
  at: 'الوقت',
  empty: 'لا طلبات بعد',
  emptyText: 'تظهر هنا طلبات نظامك وطلبات الأشخاص في مؤسستك.',
  credentials: {
    api_key: 'مفتاح API',
    jwt: 'رمز وصول',
    session: 'لوحة التحكم',
    payment_link: 'رابط دفع',
  },
}
