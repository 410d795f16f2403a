import type { Translated } from '../translated.ts'
import type {
  roles as englishRoles,
  members as englishMembers,
  member as englishMember,
  invitations as englishInvitations,
  auditLog as englishAuditLog,
} from '../en/organization.ts'
import { pluralsOf } from '../plural.ts'

const plural = pluralsOf('ar')

export const roles: Translated<typeof englishRoles> = {
  'platform-admin': 'المشغّل',
  'org-admin': 'مسؤول',
  staff: 'موظف',
  viewer: 'مطّلع',
}

export const members: Translated<typeof englishMembers> = {
  title: 'الأعضاء',
  lists: 'الأعضاء والدعوات',
  invitations: 'الدعوات',
  name: 'الاسم',
  email: 'البريد الإلكتروني',
  role: 'الدور',
  adjustments: 'الصلاحيات المعدّلة',
  none: 'لا يوجد',
  since: 'عضو منذ',
  empty: 'لا أعضاء بعد',
  emptyText: 'ادعُ الأشخاص الذين يعملون على الدفعات.',
  you: 'أنت',
  granted: (count: number) =>
    plural(count, {
      zero: 'لا شيء ممنوح',
      one: 'واحدة ممنوحة',
      two: 'اثنتان ممنوحتان',
      few: '# ممنوحة',
      many: '# ممنوحة',
      other: '# ممنوحة',
    }),
  revoked: (count: number) =>
    plural(count, {
      zero: 'لا شيء مسحوب',
      one: 'واحدة مسحوبة',
      two: 'اثنتان مسحوبتان',
      few: '# مسحوبة',
      many: '# مسحوبة',
      other: '# مسحوبة',
    }),
  held: 'التغيير ينتظر شخصًا ثانيًا.',
  user: 'معرّف المستخدم',
}

export const member: Translated<typeof englishMember> = {
  title: 'العضو',
  details: 'التفاصيل',
  country: 'البلد',
  changeRole: 'تغيير الدور',
  changeRoleTitle: 'تغيير الدور',
  changeRoleText: 'تبقى الصلاحيات الممنوحة والمسحوبة كما هي.',
  save: 'حفظ',
  roleChanged: 'تم تغيير الدور.',
  remove: 'إزالة',
  removeTitle: 'هل تريد إزالة هذا العضو؟',
  removeText: (name: string) => `يفقد ${name} الوصول فورًا، وتتوقف مفاتيح API الخاصة به أيضًا.`,
  removed: 'تمت إزالة العضو.',
  permissions: 'الصلاحيات',
  permission: 'الصلاحية',
  byRole: 'من الدور',
  adjustment: 'التعديل',
  effective: 'السارية',
  yes: 'نعم',
  no: 'لا',
  granted: 'ممنوحة',
  revoked: 'مسحوبة',
  self: 'لا يمكنك تغيير دورك أو صلاحياتك.',
  above: 'لهذا العضو دور أعلى أو صلاحيات أكثر منك.',
  lack: 'ليست لديك هذه الصلاحية، لذا لا يمكنك منحها.',
  savePermissions: 'حفظ الصلاحيات',
  unsaved: (count: number) =>
    plural(count, {
      zero: 'لا تغييرات غير محفوظة',
      one: 'تغيير واحد غير محفوظ',
      two: 'تغييران غير محفوظين',
      few: '# تغييرات غير محفوظة',
      many: '# تغييرًا غير محفوظ',
      other: '# تغيير غير محفوظ',
    }),
  discard: 'تجاهل',
  saved: 'تم حفظ الصلاحيات.',
}

export const invitations: Translated<typeof englishInvitations> = {
  title: 'الدعوات',
  email: 'البريد الإلكتروني',
  role: 'الدور',
  status: 'الحالة',
  statuses: { pending: 'سارية', accepted: 'مقبولة', revoked: 'مُبطَلة', expired: 'منتهية الصلاحية' },
  invitedBy: 'الداعي',
  expires: 'انتهاء الصلاحية',
  created: 'تاريخ الإرسال',
  actions: 'الإجراءات',
  empty: 'لا دعوات بعد',
  emptyText: 'يتلقى المدعو رسالة فيها رابط يعمل مرة واحدة خلال سبعة أيام.',
  invite: 'دعوة',
  inviteTitle: 'دعوة شخص',
  inviteText: 'يتلقى رسالة فيها رابط يعمل مرة واحدة وتنتهي صلاحيته بعد سبعة أيام.',
  send: 'إرسال الدعوة',
  sent: 'أُرسلت الدعوة.',
  revoke: 'إبطال',
  revokeOf: (email: string) => `إبطال دعوة ${email}`,
  revokeTitle: 'هل تريد إبطال هذه الدعوة؟',
  revokeText: 'يتوقف رابطها عن العمل فورًا.',
  revoked: 'أُبطلت الدعوة.',
}

export const auditLog: Translated<typeof englishAuditLog> = {
  title: 'سجل التدقيق',
  at: 'الوقت',
  who: 'من',
  credential: {
    api_key: 'بمفتاح API',
    jwt: 'برمز وصول',
    session: 'في لوحة التحكم',
    payment_link: 'في صفحة دفع',
  },
  action: 'الإجراء',
  resourceType: 'النوع',
  resource: 'المورد',
  changes: 'التغييرات',
  changed: (count: number) =>
    plural(count, {
      zero: 'لا حقول',
      one: 'حقل واحد',
      two: 'حقلان',
      few: '# حقول',
      many: '# حقلًا',
      other: '# حقل',
    }),
  noChange: 'لم يُسجَّل شيء',
  field: 'الحقل',
  before: 'قبل',
  after: 'بعد',
  nothing: '–',
  from: 'من',
  to: 'إلى',
  ip: 'العنوان',
  empty: 'لا إدخالات بعد',
  emptyText: 'يُسجَّل هنا كل تغيير في مؤسستك: من أجراه وما الذي تغيّر ومتى ومن أين.',
}
