import type { Translated } from '../translated.ts'
import type { reconciliation as english } from '../en/reconciliation.ts'
import { pluralsOf } from '../plural.ts'

const plural = pluralsOf('ar')

export const reconciliation: Translated<typeof english> = {
  title: 'المطابقة',
  provider: 'المزوّد',
  status: 'الحالة',
  statuses: { completed: 'مكتملة', failed: 'فاشلة' },
  origin: 'التشغيل',
  origins: { nightly: 'ليلي', requested: 'بطلب من' },
  since: 'منذ',
  checked: 'تمت مطابقتها',
  findings: 'الفروق',
  finished: 'وقت الانتهاء',
  empty: 'لا عمليات مطابقة بعد',
  emptyText: 'تُطابَق دفعاتنا كل ليلة مع قوائم المزوّدين المستخدَمين.',
  run: {
    button: 'مطابقة الآن',
    title: 'المطابقة مع مزوّد الآن',
    text: 'تتحوّل الفروق إلى استثناءات. لا يُعاد إرسال شيء مما دُفع.',
    since: 'الدفعات منذ',
  },
  result: 'نتيجة المطابقة',
  none: (count: number) =>
    plural(count, {
      zero: 'لم تُطابَق أي دفعة، ولا فروق.',
      one: 'طوبقت دفعة واحدة، ولا فروق.',
      two: 'طوبقت دفعتان، ولا فروق.',
      few: 'طوبقت # دفعات، ولا فروق.',
      many: 'طوبقت # دفعة، ولا فروق.',
      other: 'طوبقت # دفعة، ولا فروق.',
    }),
  kind: 'الفرق',
  reference: 'المرجع',
  summary: 'ما تبيّن',
  openExceptions: 'الاستثناءات المفتوحة',
}
