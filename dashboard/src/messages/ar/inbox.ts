import type { Translated } from '../translated.ts'
import type { inbox as english } from '../en/inbox.ts'

export const inbox: Translated<typeof english> = {
  title: 'صندوق الوارد',
  which: 'عرض',
  all: 'الكل',
  unread: 'غير المقروءة',
  notice: 'الإشعار',
  priority: 'الأولوية',
  priorities: { low: 'منخفضة', medium: 'عادية', high: 'عالية', urgent: 'عاجلة' },
  at: 'تاريخ الاستلام',
  state: 'الحالة',
  isNew: 'جديد',
  isRead: 'مقروء',
  actions: 'الإجراءات',
  markRead: 'تعليم كمقروء',
  markReadOf: (title: string) => `تعليم كمقروء: ${title}`,
  markAll: 'تعليم هذه كمقروءة',
  empty: 'لا شيء هنا بعد',
  emptyText: 'تظهر هنا وفي بريدك إشعارات عن الدفعات التي تنتظر الموافقة والنزاعات والتغييرات.',
}
