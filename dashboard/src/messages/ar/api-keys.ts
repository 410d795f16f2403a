import type { Translated } from '../translated.ts'
import type { apiKeys as english } from '../en/api-keys.ts'
import { pluralsOf } from '../plural.ts'

const plural = pluralsOf('ar')

export const apiKeys: Translated<typeof english> = {
  title: 'مفاتيح API',
  name: 'الاسم',
  nameHint: 'أين يُستخدم المفتاح، مثل «صفحة الدفع، بيئة الإنتاج».',
  owner: 'المالك',
  you: 'أنت',
  status: 'الحالة',
  statuses: { active: 'نشط', expiring: 'مُستبدَل', revoked: 'مُبطَل', expired: 'منتهي الصلاحية' },
  scopes: 'الصلاحيات',
  allScopes: 'كل الصلاحيات',
  someScopes: (count: number) =>
    plural(count, {
      zero: 'لا صلاحيات',
      one: 'صلاحية واحدة',
      two: 'صلاحيتان',
      few: '# صلاحيات',
      many: '# صلاحية',
      other: '# صلاحية',
    }),
  lastUsed: 'آخر استخدام',
  never: 'أبدًا',
  until: 'حتى',
  since: 'منذ',
  actions: 'الإجراءات',
  empty: 'لا مفاتيح API بعد',
  emptyText: 'يستدعي نظامك واجهة API بمفتاح. يحق للمفتاح ما يحق لمالكه أو أقل.',
  create: 'إنشاء مفتاح',
  createTitle: 'إنشاء مفتاح API',
  createText: 'يعمل المفتاح باسمك ويفقد صلاحياته حين تفقد صلاحياتك.',
  scopesHint: 'إن لم تختر شيئًا فيحق للمفتاح كل ما يحق لك.',
  expiry: 'تنتهي صلاحيته في',
  expiryHint: 'اختياري. يتوقف المفتاح عن العمل في نهاية هذا اليوم.',
  allowedIps: 'العناوين المسموح بها',
  allowedIpsHint:
    'اختياري. عناوين IP أو شبكات مثل 203.0.113.0/24، مفصولة بفواصل أو مسافات. يُرفض المفتاح من أي مكان آخر.',
  fromSome: (count: number) =>
    plural(count, {
      zero: 'من لا شبكة',
      one: 'من شبكة واحدة',
      two: 'من شبكتين',
      few: 'من # شبكات',
      many: 'من # شبكة',
      other: 'من # شبكة',
    }),
  secretTitle: 'مفتاحك الجديد',
  secretText: 'أرسله في الترويسة X-Api-Key.',
  secretLabel: 'مفتاح API',
  rotate: 'تدوير',
  rotateOf: (name: string) => `تدوير ${name}`,
  rotateTitle: 'هل تريد تدوير هذا المفتاح؟',
  rotateText: 'تحصل على مفتاح جديد بالاسم والصلاحيات نفسها.',
  overlap: 'مدة استمرار عمل المفتاح القديم',
  overlaps: { '86400': 'يوم واحد', '3600': 'ساعة واحدة', '604800': '7 أيام', '0': 'بلا مهلة: يتوقف الآن' },
  revoke: 'إبطال',
  revokeOf: (name: string) => `إبطال ${name}`,
  revokeTitle: 'هل تريد إبطال هذا المفتاح؟',
  revokeText: (name: string) => `يتوقف «${name}» عن العمل فورًا ونهائيًا، ومعه كل مفتاح أُنشئ به.`,
  revoked: 'أُبطل المفتاح.',
}
