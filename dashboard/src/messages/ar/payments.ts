import type { Translated } from '../translated.ts'
import type { payments as english } from '../en/payments.ts'
import { pluralsOf } from '../plural.ts'

const plural = pluralsOf('ar')

export const payments: Translated<typeof english> = {
  title: 'الدفعات',
  search: 'بحث',
  searchHint: 'المعرّف أو المرجع أو الاسم أو البريد أو المبلغ',
  country: 'البلد',
  minAmount: 'من مبلغ',
  maxAmount: 'إلى مبلغ',
  from: 'أُنشئت من',
  to: 'أُنشئت حتى',
  updatedSince: 'تغيّرت منذ',
  party: 'الدافع أو المستلم',
  status: 'الحالة',
  direction: 'الاتجاه',
  method: 'طريقة الدفع',
  currency: 'العملة',
  reference: 'المرجع',
  created: 'تاريخ الإنشاء',
  amount: 'المبلغ',
  provider: 'المزوّد',
  noProvider: 'لم تُوجَّه',
  empty: 'لا دفعات بعد',
  emptyText: 'تظهر الدفعات هنا فور أن ينشئ نظامك أو رابط دفع واحدة منها.',
  newPayments: (count: number) =>
    plural(count, {
      zero: 'لا دفعات جديدة',
      one: 'عرض دفعة جديدة واحدة',
      two: 'عرض دفعتين جديدتين',
      few: 'عرض # دفعات جديدة',
      many: 'عرض # دفعة جديدة',
      other: 'عرض # دفعة جديدة',
    }),
}
