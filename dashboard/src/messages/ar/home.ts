import type { Translated } from '../translated.ts'
import type { home as english } from '../en/home.ts'

export const home: Translated<typeof english> = {
  greeting: 'ما ينتظرك',
  exceptions: 'الاستثناءات المفتوحة',
  exceptionsHint: 'حالات يجب أن يحسمها شخص',
  approvals: 'دفعات تنتظر الموافقة',
  approvalsHint: 'دفعات صادرة تنتظر موافقة أولى أو ثانية',
  disputes: 'نزاعات تنتظر الرد',
  disputesHint: 'مستحقة خلال أسبوع',
  matches: 'مطابقات العقوبات',
  matchesHint: 'دفعات تنتظر قرارًا',
  deadLetters: 'الرسائل المتعذّر تسليمها',
  deadLettersHint: 'رسائل Webhook تُركت بعد استنفاد المحاولات',
  notices: 'إشعارات غير مقروءة',
  noticesHint: 'في صندوق الوارد',
  nothing: 'لا شيء ينتظرك.',
  trends: 'آخر سبعة أيام',
  trendsEmpty: 'لا دفعات في آخر سبعة أيام.',
  currency: 'العملة',
  payments: 'الدفعات',
  volume: 'الحجم',
  success: 'نسبة النجاح',
  perDay: 'في اليوم',
  failures: 'أحدث حالات الفشل',
  failuresEmpty: 'لم تفشل أي دفعة.',
  allFailures: 'كل الدفعات الفاشلة',
}
