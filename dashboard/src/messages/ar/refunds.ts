import type { Translated } from '../translated.ts'
import type { refunds as english } from '../en/refunds.ts'

export const refunds: Translated<typeof english> = {
  title: 'الاستردادات',
  amount: 'المبلغ',
  debit: 'من رصيدك',
  status: 'الحالة',
  statuses: { processing: 'قيد المعالجة', completed: 'مكتمل', failed: 'فاشل' },
  origin: 'مكان الإجراء',
  origins: { api: 'هنا', provider: 'لدى المزوّد' },
  reason: 'السبب',
  provider: 'المزوّد',
  currency: 'العملة',
  created: 'تاريخ الإنشاء',
  empty: 'لا استردادات بعد',
  emptyText: 'تظهر هنا استردادات كل الدفعات، ومنها ما أُجري لدى مزوّد.',
}
