import type { Translated } from '../translated.ts'
import type { analytics as english } from '../en/analytics.ts'

export const analytics: Translated<typeof english> = {
  title: 'التحليلات',
  period: 'الفترة',
  periods: { '7': 'آخر 7 أيام', '90': 'آخر 90 يومًا', '365': 'آخر 365 يومًا' },
  standard: 'آخر 30 يومًا',
  measure: 'المقياس',
  measures: { success: 'نسبة النجاح', volume: 'الحجم' },
  count: 'الدفعات',
  currency: 'العملة',
  payments: 'الدفعات',
  volume: 'الحجم',
  completed: 'مكتملة',
  failed: 'فاشلة',
  success: 'نسبة النجاح',
  day: 'اليوم',
  perDay: (currency: string) => `${currency} في اليوم`,
  table: 'عرض كجدول',
  chart: (currency: string, first: string, last: string) =>
    `الدفعات بعملة ${currency} لكل يوم من ${first} إلى ${last}؛ والأرقام في الجدول أدناه.`,
  completedBars: 'مكتملة',
  otherBars: 'غير مكتملة',
  empty: 'لا دفعات في هذه الفترة',
  emptyText: 'اختر فترة أطول.',
  geography: 'بلدان الدافعين والمستلمين',
  country: 'البلد',
  users: 'المستخدمون',
  noCountries: 'لا بلدان بعد',
}
